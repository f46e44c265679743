package org.kblake.ingest.internal.live.group;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.Pair;

/** What is remembered of a pair from poll to poll. Not thread safe. */
final class PairProgress {

  /** What a client of NFS knows of a directory may be so old. */
  private static final long BEGINNING_NANOS = TimeUnit.SECONDS.toNanos(60);

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
  private long lookAgainNanos;
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

  /** The pair as it was listed again: it may have got a successor. */
  void listed(Pair again) {
    if (!Objects.equals(pair.nextStamp(), again.nextStamp())) {
      changed = true;
    }
    pair = again;
  }

  /**
   * Looks at the files. Of a log that only grew nothing new can become a whole segment before the
   * index knows the milestone behind it.
   *
   * @return whether one of them is another file now, or has become shorter
   */
  boolean look() {
    FileState indexNow = FileState.ofOrMissing(pair.indexPath());
    FileState logNow = FileState.ofOrMissing(pair.logPath());
    boolean same = indexNow.equals(index) && logNow.equals(log);
    boolean replaced =
        !Objects.equals(indexNow.key(), index.key())
            || !Objects.equals(logNow.key(), log.key())
            || logNow.bytes() < log.bytes()
            || indexNow.bytes() < index.bytes();
    if (!indexNow.equals(index) || replaced || !same && complete) {
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

  /** Whether its log could not be looked at when it was tried last. */
  boolean missing() {
    return log.missing();
  }

  /**
   * Whether it was made a moment ago, and its second file is still to come. A link that leads
   * nowhere is none.
   */
  boolean isBeginning(long nowNanos) {
    return pair.nextStamp() == null
        && nowNanos - knownNanos < BEGINNING_NANOS
        && (Files.notExists(pair.logPath(), LinkOption.NOFOLLOW_LINKS)
            || Files.notExists(pair.indexPath(), LinkOption.NOFOLLOW_LINKS));
  }

  /** Size of the log when it was last seen. */
  long logBytes() {
    return Math.max(0, lastSeen.bytes());
  }

  /** Records the result of opening it. */
  void opened(Milestones milestones) {
    int count = milestones.count();
    milestoneNanos = count == 0 ? Long.MIN_VALUE : milestones.nanos(count - 1);
  }

  /**
   * About when its newest event was. The index changed with the last milestone, the log with the
   * last event: that holds of copies too, whose files are younger than what is in them.
   */
  long newestNanos() {
    Instant modified = lastSeen.modified().toInstant();
    if (milestoneNanos == Long.MIN_VALUE) {
      return nanosBetween(Instant.EPOCH, modified);
    }
    return milestoneNanos
        + Math.max(0, nanosBetween(lastSeenIndex.modified().toInstant(), modified));
  }

  private static long nanosBetween(Instant from, Instant to) {
    return Duration.between(from, to).toNanos();
  }

  /** Whether all of it is in blocks and it will not change any more, as far as is known. */
  boolean complete() {
    return complete;
  }

  void setComplete() {
    complete = true;
    changed = false;
  }

  /** What blocks hold of it has become less. */
  void incomplete() {
    complete = false;
    changed = true;
  }

  /** Whether what no block holds of it waits to become more. */
  boolean gathers() {
    return gathers;
  }

  void setGathers(boolean gathers) {
    this.gathers = gathers;
  }

  /** Whether it has to be opened to see if something is due. */
  boolean wantsOpening(long nowNanos) {
    return !complete && (changed || nowNanos - lookAgainNanos >= 0);
  }

  /**
   * Notes that it was opened and nothing is due before a time, unless the files change.
   *
   * @param nanos as {@link System#nanoTime} counts
   */
  void lookAgain(long nanos) {
    changed = false;
    lookAgainNanos = nanos;
  }

  /**
   * Since when the whole segment at an offset has been waiting to be put into a block, as far as
   * this process knows; as {@link System#nanoTime} counts.
   */
  long firstSeenNanos(long offset, long nowNanos) {
    if (firstSeenOffset != offset) {
      firstSeenOffset = offset;
      firstSeenNanos = nowNanos;
    }
    return firstSeenNanos;
  }
}
