package org.kblake.ingest.internal.live.group;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.Coverage;
import org.kblake.core.internal.store.block.Stretch;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.FollowSettings;

/**
 * Decides when segments that no block holds are put into one: when a pair has as much of them as
 * the next block needs or nothing is appended to it any more, and they are old enough or as much as
 * a block may wait for.
 */
final class SealSchedule {

  /** After this time a closed pair is opened again that waits for its age. */
  private static final long CLOSED_PAIR_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final FollowSettings settings;
  private final ArchiveSettings archive;
  private final Clock clock;
  private final long sealAgeNanos;
  private SealSize sealSize = SealSize.ANY;

  SealSchedule(Group group, FollowSettings settings, ArchiveSettings archive, Clock clock) {
    this.settings = settings;
    this.archive = archive;
    this.clock = clock;
    sealAgeNanos = settings.sealAge().toNanos() + delayNanos(group, settings.sealAge().toNanos());
  }

  /** Up to a quarter of the age, by the name: groups that began together do not come due so. */
  private static long delayNanos(Group group, long ageNanos) {
    return Math.floorMod(group.toString().hashCode() * 0x9E3779B9L, 1024L) * (ageNanos / 4096);
  }

  /** Takes note of how much log the next block needs. */
  void setSize(SealSize size) {
    sealSize = size;
  }

  /**
   * Whether segments of a pair are due. Notes in the pair when it has to be opened next.
   *
   * @param log the pair, just opened
   * @param now as {@link System#nanoTime} counts
   */
  boolean isDue(PairProgress pair, PairLog log, Coverage coverage, long now) {
    pair.opened(log.milestones());
    List<Stretch> missing = missing(log, coverage);
    pair.setGathers(false);
    if (missing.isEmpty()) {
      if (log.closed()) {
        pair.setComplete();
      } else {
        pair.lookAgain(now + nanosToChange(log));
      }
      return false;
    }
    long bytes = missing.stream().mapToLong(Stretch::bytes).sum();
    if (bytes < Math.min(sealSize.bytes(), settings.sealBytes()) && !log.closed()) {
      pair.setGathers(true);
      pair.lookAgain(now + nanosToChange(log));
      return false;
    }
    long waitNanos =
        bytes >= settings.sealBytes() ? 0 : sealAgeNanos - ageNanos(pair, log, missing.get(0), now);
    if (waitNanos > 0) {
      pair.lookAgain(now + Math.min(waitNanos, nanosToChange(log)));
      return false;
    }
    // Whether they were sealed is seen at the next look.
    pair.lookAgain(now);
    return true;
  }

  /** The whole segments of a pair that no block holds. */
  private List<Stretch> missing(PairLog log, Coverage coverage) {
    String stamp = log.pair().stamp();
    Milestones milestones = log.milestones();
    List<Stretch> missing = new ArrayList<>();
    for (int i = 0; i < milestones.count(); i++) {
      long from = milestones.offset(i);
      boolean last = i + 1 == milestones.count();
      long to = last ? log.logBytes() : milestones.offset(i + 1);
      boolean whole = log.closed() || !last && to < log.dataBytes();
      if (whole && from < to && !coverage.holds(stamp, from, to)) {
        missing.add(new Stretch(stamp, from, to));
      }
    }
    return missing;
  }

  /** How long ago a segment ended, by the milestone behind it or since it was first seen. */
  private long ageNanos(PairProgress pair, PairLog log, Stretch segment, long now) {
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
   * When a pair that is left alone will count as closed, or its last milestone may be seen, at the
   * earliest.
   */
  private long nanosToChange(PairLog log) {
    if (log.closed()) {
      return CLOSED_PAIR_NANOS;
    }
    if (log.lacksLastMilestone()) {
      return settings.poll().toNanos();
    }
    long quiet =
        log.pair().nextStamp() == null
            ? archive.closedAfterNanos()
            : Math.min(archive.closedAfterNanos(), archive.supersededAfterNanos());
    Instant changed =
        log.logModified().compareTo(log.indexModified()) > 0
            ? log.logModified().toInstant()
            : log.indexModified().toInstant();
    long left = Duration.between(clock.instant(), changed.plusNanos(quiet)).toNanos();
    return Math.max(settings.poll().toNanos(), left);
  }
}
