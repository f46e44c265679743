package org.kblake.ingest.internal.live.group;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.FollowSettings;

/**
 * Decides when segments that are in no block are put into one. Two conditions must hold. First, the
 * segments of the pair have as many bytes as the next block needs, or the pair is closed. Second,
 * they are old enough, or have {@code seal-bytes} bytes.
 */
final class SealSchedule {

  /** The interval at which a closed pair is opened again while its segments wait for their age. */
  private static final long CLOSED_PAIR_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final FollowSettings settings;
  private final Clock clock;
  private final long sealAgeNanos;
  private SealSize sealSize = SealSize.ANY;

  SealSchedule(Group group, FollowSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    sealAgeNanos = settings.sealAge().toNanos() + delayNanos(group, settings.sealAge().toNanos());
  }

  /**
   * Returns a delay of up to a quarter of the age, by the group's name. So groups whose pairs began
   * together are due at different times.
   */
  private static long delayNanos(Group group, long ageNanos) {
    return Math.floorMod(group.toString().hashCode() * 0x9E3779B9L, 1024L) * (ageNanos / 4096);
  }

  /** Sets the bytes of log that the next block needs. */
  void setSize(SealSize size) {
    sealSize = size;
  }

  /**
   * Returns whether segments of a pair are due. Notes in the pair when it has to be opened next.
   *
   * @param log the pair, which was just opened
   * @param now the time, as {@link System#nanoTime} counts
   */
  boolean isDue(PairProgress pair, PairLog log, Coverage coverage, long now) {
    pair.opened(log.milestones());
    List<LogSpan> missing = missing(log, coverage);
    pair.setGathers(false);
    if (missing.isEmpty()) {
      if (log.closed()) {
        pair.setComplete();
      } else {
        pair.openAgainAt(now + nanosToChange(log));
      }
      return false;
    }
    long bytes = missing.stream().mapToLong(LogSpan::bytes).sum();
    if (bytes < Math.min(sealSize.bytes(), settings.sealBytes()) && !log.closed()) {
      pair.setGathers(true);
      pair.openAgainAt(now + nanosToChange(log));
      return false;
    }
    long waitNanos =
        bytes >= settings.sealBytes() ? 0 : sealAgeNanos - ageNanos(pair, log, missing.get(0), now);
    if (waitNanos > 0) {
      pair.openAgainAt(now + Math.min(waitNanos, nanosToChange(log)));
      return false;
    }
    // The next poll finds whether they were sealed.
    pair.openAgainAt(now);
    return true;
  }

  /** Returns the whole segments of a pair that are in no block. */
  private List<LogSpan> missing(PairLog log, Coverage coverage) {
    String stamp = log.pair().stamp();
    Milestones milestones = log.milestones();
    List<LogSpan> missing = new ArrayList<>();
    for (int i = 0; i < milestones.count(); i++) {
      long from = milestones.offset(i);
      boolean last = i + 1 == milestones.count();
      long to = last ? log.logBytes() : milestones.offset(i + 1);
      boolean whole = log.closed() || !last && to < log.dataBytes();
      if (whole && from < to && !coverage.holds(stamp, from, to)) {
        missing.add(new LogSpan(stamp, from, to));
      }
    }
    return missing;
  }

  /**
   * Returns the time since a segment ended: since the next milestone, or since the segment was
   * first seen, whichever is longer.
   */
  private long ageNanos(PairProgress pair, PairLog log, LogSpan segment, long now) {
    long seenNanos = now - pair.firstSeenNanos(segment.fromOffset(), now);
    int next = log.milestones().indexOfOffset(segment.toOffset());
    Instant ended =
        next >= 0
            ? Instant.EPOCH.plusNanos(log.milestones().nanos(next))
            : log.logModified().toInstant();
    long endedNanos = Duration.between(ended, clock.instant()).toNanos();
    return Math.max(seenNanos, endedNanos);
  }

  /**
   * Returns the least time until an unchanged pair counts as closed, or its last milestone may be
   * visible.
   */
  private long nanosToChange(PairLog log) {
    if (log.closed()) {
      return CLOSED_PAIR_NANOS;
    }
    if (log.lacksLastMilestone()) {
      return settings.poll().toNanos();
    }
    Instant changed =
        log.logModified().compareTo(log.indexModified()) > 0
            ? log.logModified().toInstant()
            : log.indexModified().toInstant();
    long left =
        Duration.between(clock.instant(), changed.plusNanos(log.pair().quietNanos())).toNanos();
    return Math.max(settings.poll().toNanos(), left);
  }
}
