package org.kblake.ingest.internal.live.group;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.Pair;

/** The state of a pair between polls. Not thread safe. */
final class PairProgress {

  /** The time for which a client of NFS may cache the contents of a directory. */
  private static final long BEGINNING_NANOS = TimeUnit.SECONDS.toNanos(60);

  /** The time in which kblog writes a milestone into log and index. */
  private static final Duration MILESTONE = Duration.ofSeconds(2);

  private final long knownNanos = System.nanoTime();
  private Pair pair;
  private FileState index;
  private FileState log;
  private FileState lastSeen;
  private FileState lastSeenIndex;
  private long milestoneNanos = Long.MIN_VALUE;
  private boolean complete;
  private boolean changed = true;
  private boolean gathers;
  private long openAgainNanos;
  private long firstSeenOffset = -1;
  private long firstSeenNanos;

  PairProgress(Pair pair) {
    this.pair = pair;
    index = FileState.ofOrMissing(pair.indexPath());
    log = FileState.ofOrMissing(pair.logPath());
    lastSeen = log;
    lastSeenIndex = index;
  }

  Pair pair() {
    return pair;
  }

  /** Sets the pair after a new listing. It may have a successor now. */
  void listed(Pair again) {
    if (!pair.hasSameFollowers(again)) {
      changed = true;
    }
    pair = again;
  }

  /**
   * Reads the attributes of the files. If only the log grew, there is no new whole segment: a
   * segment is whole when the index has the next milestone. If the log's time is earlier than
   * before, the pair may count as closed.
   *
   * @return whether one of the files was replaced or has become shorter
   */
  boolean poll() {
    FileState indexNow = FileState.ofOrMissing(pair.indexPath());
    FileState logNow = FileState.ofOrMissing(pair.logPath());
    boolean same = indexNow.equals(index) && logNow.equals(log);
    boolean replaced =
        !Objects.equals(indexNow.key(), index.key())
            || !Objects.equals(logNow.key(), log.key())
            || logNow.bytes() < log.bytes()
            || indexNow.bytes() < index.bytes();
    boolean older = logNow.modified().compareTo(log.modified()) < 0;
    if (!indexNow.equals(index) || replaced || older || !same && complete) {
      changed = true;
      complete = false;
    }
    index = indexNow;
    log = logNow;
    if (!logNow.missing() && !indexNow.missing()) {
      lastSeen = logNow;
      lastSeenIndex = indexNow;
    }
    return replaced;
  }

  /** Returns whether the log was missing at the last poll. */
  boolean missing() {
    return log.missing();
  }

  /**
   * Returns whether the pair was just created and its second file did not exist yet when it was
   * opened. It may exist now. A symbolic link counts as an existing file even if its target is
   * missing.
   *
   * @param problem of the opening
   */
  boolean isBeginning(long nowNanos, UnavailableException problem) {
    return !pair.isSuperseded()
        && nowNanos - knownNanos < BEGINNING_NANOS
        && problem.getCause() instanceof NoSuchFileException
        && !Files.isSymbolicLink(pair.logPath())
        && !Files.isSymbolicLink(pair.indexPath());
  }

  /** Returns the size of the log when it was last seen. */
  long logBytes() {
    return Math.max(0, lastSeen.bytes());
  }

  /** Records the milestones of the pair, which was just opened. */
  void opened(Milestones milestones) {
    int count = milestones.count();
    milestoneNanos = count == 0 ? Long.MIN_VALUE : milestones.nanos(count - 1);
  }

  /**
   * Returns the approximate time of its newest event. The index changed with the last milestone,
   * and the log with the last event. The time of the last milestone plus the difference of both
   * times is therefore the time of the last event. This is right for copied files, too, whose times
   * are later than their events.
   */
  long newestNanos() {
    Instant modified = lastSeen.modified().toInstant();
    if (milestoneNanos == Long.MIN_VALUE) {
      return nanosBetween(Instant.EPOCH, modified);
    }
    return milestoneNanos
        + Math.max(0, nanosBetween(lastSeenIndex.modified().toInstant(), modified));
  }

  /** Returns whether nothing was written into the log after the last milestone. */
  boolean endsWithMilestone() {
    Instant milestone = lastSeenIndex.modified().toInstant();
    return lastSeen.modified().toInstant().isBefore(milestone.plus(MILESTONE));
  }

  private static long nanosBetween(Instant from, Instant to) {
    return Duration.between(from, to).toNanos();
  }

  /**
   * Returns whether all of the pair is in blocks and, as far as is known, it will not change any
   * more.
   */
  boolean complete() {
    return complete;
  }

  void setComplete() {
    complete = true;
    changed = false;
  }

  /** Marks the pair as incomplete, because blocks hold less of it than before. */
  void incomplete() {
    complete = false;
    changed = true;
  }

  /** Returns whether the segments that are in no block wait for more log. */
  boolean gathers() {
    return gathers;
  }

  void setGathers(boolean gathers) {
    this.gathers = gathers;
  }

  /** Returns whether the pair has to be opened to find whether a segment is due. */
  boolean needsOpening(long nowNanos) {
    return !complete && (changed || nowNanos - openAgainNanos >= 0);
  }

  /**
   * Notes that the pair was opened, and that no segment is due before a time unless the files
   * change.
   *
   * @param nanos the time, as {@link System#nanoTime} counts
   */
  void openAgainAt(long nanos) {
    changed = false;
    openAgainNanos = nanos;
  }

  /**
   * Returns the time when this process first saw the whole segment at an offset, as {@link
   * System#nanoTime} counts.
   */
  long firstSeenNanos(long offset, long nowNanos) {
    if (firstSeenOffset != offset) {
      firstSeenOffset = offset;
      firstSeenNanos = nowNanos;
    }
    return firstSeenNanos;
  }
}
