package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.IoReasons;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.file.LogSource;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.PairName;
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

  private Pair(
      ArchiveFiles archive,
      Group group,
      PairName name,
      @Nullable PairName next,
      long beginNanos,
      long endNanos) {
    this.archive = archive;
    this.group = group;
    this.name = name;
    this.next = next;
    this.beginNanos = beginNanos;
    this.endNanos = endNanos;
  }

  /**
   * Returns the pairs of a group.
   *
   * @param names the names of all its pairs, in log order; each has a time
   */
  public static List<Pair> of(ArchiveFiles archive, Group group, List<PairName> names) {
    NamedPeriods periods = new NamedPeriods(names, archive.settings().zone());
    List<Pair> pairs = new ArrayList<>(names.size());
    for (int i = 0; i < names.size(); i++) {
      pairs.add(
          new Pair(
              archive,
              group,
              names.get(i),
              i + 1 < names.size() ? names.get(i + 1) : null,
              periods.beginNanos(i),
              periods.endNanos(i)));
    }
    return List.copyOf(pairs);
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

  /** Returns the next pair's stamp in log order, or null if this is the group's last pair. */
  public @Nullable String nextStamp() {
    return next == null ? null : next.stamp();
  }

  /** Returns the earliest begin that {@link #stamp()} may mean, nanoseconds since 1970 UTC. */
  public long beginNanos() {
    return beginNanos;
  }

  /**
   * Returns the latest time at which the pair after this one may have been begun, or {@link
   * Long#MAX_VALUE}.
   */
  public long endNanos() {
    return endNanos;
  }

  /**
   * Returns whether a pair of the group was certainly begun after this one. In an hour that the
   * zone repeats, names do not show which of two pairs was.
   */
  public boolean isSuperseded() {
    return endNanos != Long.MAX_VALUE;
  }

  /** Returns the time for which the files of the pair must be unchanged until it is closed. */
  public long quietNanos() {
    long closed = archive.settings().closedAfterNanos();
    return isSuperseded() ? Math.min(closed, archive.settings().supersededAfterNanos()) : closed;
  }

  /**
   * Returns whether the pairs after this pair are the same as those after another listing of it.
   */
  public boolean hasSameFollowers(Pair other) {
    return endNanos == other.endNanos && Objects.equals(next, other.next);
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
   * copy. If a closed log is shorter than its copy, the snapshot has the end that only the copy
   * has. If it ends before its copy begins, the snapshot has the bytes of the copy only, as after
   * {@link #openCopy}.
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
   * @param copy a copy of spans of the log; null if there is none
   * @param reachable whether bytes that the copy does not have are read from the archive
   */
  LogSource source(@Nullable Object key, @Nullable LogCopy copy, boolean reachable) {
    return new LogSource(unavailableText(), logPath(), access(), key, copy, reachable);
  }

  /**
   * Returns the milestones that the log has lost, as {@link PairLog#behindEnd} does; null if the
   * pair may grow, or the log ends behind its index. The whole index is read only if its end leads
   * behind the log.
   *
   * @throws UnavailableException if the pair cannot be read
   */
  public @Nullable LostMilestones lostEnd() throws IOException {
    try {
      long logBytes = access().call(logPath(), () -> Files.size(logPath()));
      List<LogLayout> layouts = archive.settings().layouts();
      if (!access()
          .call(indexPath(), () -> IndexEnd.mayLeadBehind(indexPath(), logBytes, layouts))) {
        return null;
      }
    } catch (IOException e) {
      throw failure(e);
    }
    PairLog log = open();
    return log.isCutShort() ? log.behindEnd() : null;
  }

  /** Returns whether a log, as it is at present, is shorter than its copy. */
  public static boolean isShorter(LogCopy copy, FileState log) {
    return log.bytes() < copy.endOffset() && copy.key().equals(String.valueOf(log.key()));
  }

  /**
   * Returns what a closed log lacks of its copy, as one line for users; null if the log may grow,
   * or is not shorter. Nothing else shows that the newest log lost its last events.
   *
   * @param log the present state of the log
   */
  public @Nullable String lacksOf(LogCopy copy, FileState log) {
    return isShorter(copy, log) && log.isUnchangedFor(quietNanos(), Instant.now())
        ? lacks(log.bytes(), "copy in the mirror", "the mirror", copy.endOffset())
        : null;
  }

  /**
   * Returns what the log lacks of its columns, as one line for users.
   *
   * @param logBytes the size of the log
   * @param toOffset the end of its columns
   */
  public String lacksOfColumns(long logBytes, long toOffset) {
    return lacks(logBytes, "columns", "columns", toOffset);
  }

  private String lacks(long logBytes, String others, String place, long toOffset) {
    return "log is shorter than its "
        + others
        + ": file="
        + logPath()
        + ", bytes="
        + logBytes
        + ", in "
        + place
        + " up to="
        + toOffset
        + "; put the whole log back";
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
