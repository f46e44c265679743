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

/** An index file and its log, as listed: nothing of them has been read. */
public final class Pair {

  private final ArchiveFiles archive;
  private final Group group;
  private final PairName name;
  private final @Nullable PairName next;
  private final long beginNanos;
  private final long endNanos;

  /**
   * Made when they are requested first: many pairs are listed and not looked at. Threads may make
   * them twice.
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

  /** How its files are asked. */
  public FileAccess access() {
    return archive.access();
  }

  /** {@code yyyymmddhhmmss}, the archive's local time at which the pair was begun. */
  public String stamp() {
    return name.stamp();
  }

  /** The next pair's stamp, or null: this is the group's newest pair. */
  public @Nullable String nextStamp() {
    return next == null ? null : next.stamp();
  }

  /** {@link #stamp()} as nanoseconds since 1970 UTC. */
  public long beginNanos() {
    return beginNanos;
  }

  /** Where the next pair begins, or {@link Long#MAX_VALUE}. */
  public long endNanos() {
    return endNanos;
  }

  /** For messages: from which stamp to which. */
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
   * Takes a snapshot of what the two files say now.
   *
   * @throws UnavailableException if one of them is missing, dangling or cannot be read
   * @throws PendingPairException if the pair grows and its record table is not complete yet
   * @throws CorruptLogException if the index is damaged
   * @throws TooNewException if the index has a later version of its layout
   */
  public PairLog open() throws IOException {
    return open(null, null);
  }

  /**
   * As {@link #open()}; bytes of the log that are at hand are read there.
   *
   * @param copy ignored if it is not of the log that the archive has now
   * @param before an earlier snapshot of the pair: its records are not decoded again if the index
   *     has the same ones; or null
   */
  public PairLog open(@Nullable LogCopy copy, @Nullable PairLog before) throws IOException {
    return PairReader.read(this, copy, before);
  }

  /**
   * Takes what is at hand for the pair: the archive is not looked at, and what it has besides is
   * unavailable.
   *
   * @throws CorruptLogException if the index is damaged
   */
  public PairLog openCopy(LogCopy copy) throws IOException {
    return PairReader.readCopy(this, copy);
  }

  /**
   * Where the log is read.
   *
   * @param key what identifies the log's file, null where the file system has no such thing
   * @param copy what is at hand of it; null if nothing is
   * @param reachable whether what is not at hand is read in the archive
   */
  LogSource source(@Nullable Object key, @Nullable LogCopy copy, boolean reachable) {
    return new LogSource(unavailableText(), logPath(), access(), key, copy, reachable);
  }

  public UnavailableException unavailable(Path file, IOException cause) {
    return new UnavailableException(unavailableText(), file, IoReasons.of(file, cause), cause);
  }

  /**
   * What an error of reading the log is to be thrown as: unavailable, but for an interrupt, which
   * is no fault of the log.
   */
  public IOException failure(IOException cause) {
    return cause instanceof UnavailableException || cause instanceof ClosedByInterruptException
        ? cause
        : unavailable(logPath(), cause);
  }

  /** The error of an index of which so many bytes are not its whole record table. */
  PendingPairException pending(long indexBytes) {
    return new PendingPairException(group, period(), indexPath(), indexBytes);
  }

  public UnavailableException unavailable(Path file, String reason) {
    return new UnavailableException(unavailableText(), file, reason, null);
  }

  /** What errors begin with where a file of the pair cannot be read. */
  String unavailableText() {
    return "pair is unavailable: group=" + group + ", period=" + period();
  }

  @Override
  public String toString() {
    return group + " " + stamp();
  }
}
