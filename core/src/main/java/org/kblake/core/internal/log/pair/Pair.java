package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.IoReasons;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.file.LogSource;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.Group;

/** An index file and its log, as listed. Neither file has been read. */
public final class Pair {

  private final ArchiveFiles archive;
  private final Group group;
  private final PairName name;
  private final @Nullable PairName next;
  private final long beginNanos;
  private final long endNanos;

  /**
   * The paths, made on first use, because many pairs are listed and never opened. Two threads may
   * both make them.
   */
  private @Nullable Path indexPath;

  private @Nullable Path logPath;

  public Pair(ArchiveFiles archive, Group group, PairName name, @Nullable PairName next) {
    this.archive = archive;
    this.group = group;
    this.name = name;
    this.next = next;
    beginNanos = name.beginNanos(archive.settings().zone());
    endNanos = next == null ? Long.MAX_VALUE : next.beginNanos(archive.settings().zone());
  }

  public ArchiveFiles archive() {
    return archive;
  }

  public Group group() {
    return group;
  }

  /** Returns the access to the file system of its files. */
  public FileAccess access() {
    return archive.access();
  }

  /**
   * Returns the local time of the archive at which the pair was begun, as {@code yyyymmddhhmmss}.
   */
  public String stamp() {
    return name.stamp();
  }

  /** Returns the next pair's stamp, or null if this is the group's newest pair. */
  public @Nullable String nextStamp() {
    return next == null ? null : next.stamp();
  }

  /** Returns {@link #stamp()} as nanoseconds since 1970 UTC. */
  public long beginNanos() {
    return beginNanos;
  }

  /** Returns the begin of the next pair, or {@link Long#MAX_VALUE}. */
  public long endNanos() {
    return endNanos;
  }

  /** Returns this and the next pair's stamp, for messages. */
  public String period() {
    return stamp() + "-" + (next == null ? "" : next.stamp());
  }

  public Path indexPath() {
    Path known = indexPath;
    if (known == null) {
      known = directory().resolve(name.indexFile());
      indexPath = known;
    }
    return known;
  }

  public Path logPath() {
    Path known = logPath;
    if (known == null) {
      known = directory().resolve(name.logFile());
      logPath = known;
    }
    return known;
  }

  private Path directory() {
    return archive.root().resolve(group.system());
  }

  /**
   * Takes a snapshot of both files.
   *
   * @throws UnavailableException if one of the files is missing, dangling or cannot be read
   * @throws PendingPairException if the pair grows and its record table is not complete yet
   * @throws CorruptLogException if the index is damaged
   * @throws TooNewException if the index has a later version of its layout
   */
  public PairLog open() throws IOException {
    return open(null, null);
  }

  /**
   * Takes a snapshot as {@link #open()} does. Bytes of the log that a copy has are read from the
   * copy.
   *
   * @param copy a copy of the pair, or null; ignored if it is not of the archive's current log
   * @param before an earlier snapshot of the pair, or null; its records are not decoded again if
   *     the index has the same ones
   */
  public PairLog open(@Nullable LogCopy copy, @Nullable PairLog before) throws IOException {
    return PairReader.read(this, copy, before);
  }

  /**
   * Takes a snapshot of a copy, without access to the archive. Bytes that the copy does not have
   * are unavailable.
   *
   * @throws CorruptLogException if the index is damaged
   */
  public PairLog openCopy(LogCopy copy) throws IOException {
    return PairReader.readCopy(this, copy);
  }

  /**
   * Returns the source of the log's bytes.
   *
   * @param key the identity of the log's file, null if the file system has none
   * @param copy a copy of parts of the log; null if there is none
   * @param reachable whether bytes that the copy does not have are read from the archive
   */
  LogSource source(@Nullable Object key, @Nullable LogCopy copy, boolean reachable) {
    return new LogSource(unavailableText(), logPath(), access(), key, copy, reachable);
  }

  public UnavailableException unavailable(Path file, IOException cause) {
    return new UnavailableException(unavailableText(), file, IoReasons.of(file, cause), cause);
  }

  /**
   * Returns the exception to throw for an error of reading the log. This is an {@link
   * UnavailableException}, except for an interrupt, which does not concern the log.
   */
  public IOException failure(IOException cause) {
    return cause instanceof UnavailableException || cause instanceof ClosedByInterruptException
        ? cause
        : unavailable(logPath(), cause);
  }

  /**
   * Returns the error of an index whose first {@code indexBytes} bytes do not contain the whole
   * record table.
   */
  PendingPairException pending(long indexBytes) {
    return new PendingPairException(group, period(), indexPath(), indexBytes);
  }

  public UnavailableException unavailable(Path file, String reason) {
    return new UnavailableException(unavailableText(), file, reason, null);
  }

  /** Returns the beginning of error messages for a file of the pair that cannot be read. */
  String unavailableText() {
    return "pair is unavailable: group=" + group + ", period=" + period();
  }

  @Override
  public String toString() {
    return group + " " + stamp();
  }
}
