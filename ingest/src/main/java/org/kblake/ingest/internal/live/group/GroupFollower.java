package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.ingest.internal.transcode.BackfillPlan;

/**
 * Finds the whole segments of one group that are due to be put into a block. It opens a pair only
 * if a segment may be due. For one thread at a time.
 */
final class GroupFollower {

  private static final long DAMAGED_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final Duration RECENT = Duration.ofDays(1);

  private final PolledPairs pairs;
  private final Group group;
  private final FollowSettings settings;
  private final Problems problems;
  private final long mostBytes;
  private final Clock clock;
  private final SealSchedule schedule;

  /** The bytes of the last due segments that were skipped for lack of headroom. */
  private long passedOverBytes = Long.MAX_VALUE;

  /**
   * @param mostBytes bytes of older log that are put into blocks at a time, but at least one
   *     segment
   */
  GroupFollower(
      PolledPairs pairs, FollowSettings settings, Problems problems, long mostBytes, Clock clock) {
    this.pairs = pairs;
    this.group = pairs.group();
    this.settings = settings;
    this.problems = problems;
    this.mostBytes = mostBytes;
    this.clock = clock;
    schedule = new SealSchedule(group, settings, clock);
  }

  /**
   * Reads the attributes of the group's files.
   *
   * @param headroomBytes bytes of log; if they are enough for skipped segments, these are due again
   * @return whether pairs have to be opened to find what is due
   */
  boolean poll(long headroomBytes) {
    if (headroomBytes >= passedOverBytes) {
      passedOverBytes = Long.MAX_VALUE;
      pairs.openAllAgain();
    }
    return pairs.poll();
  }

  /** Sets the bytes of log that the next block needs. */
  void setSealSize(SealSize size) {
    schedule.setSize(size);
  }

  /**
   * Returns the segments that are due: all segments younger than a day, and the newest of the older
   * ones for which there is headroom.
   *
   * @param coverage the spans that are in blocks, or were evicted
   * @param headroomBytes bytes of older log that may be put into blocks
   */
  BackfillPlan due(Coverage coverage, long headroomBytes) throws IOException {
    long now = System.nanoTime();
    BackfillPlan.Builder plan = new BackfillPlan.Builder(group, coverage, new PairSnapshots());
    for (PairProgress pair : pairs.all()) {
      if (pair.needsOpening(now)) {
        addOrReport(pair, coverage, plan, now);
      } else {
        plan.passOver();
      }
    }
    return newestOf(plan.build(), headroomBytes, now);
  }

  private BackfillPlan newestOf(BackfillPlan due, long headroomBytes, long now) throws IOException {
    Instant recentFrom = clock.instant().minus(RECENT);
    long recentFromNanos = TimeUnit.SECONDS.toNanos(recentFrom.getEpochSecond());
    int from = due.ranges().size();
    long left = headroomBytes;
    while (from > 0) {
      BackfillPlan.Range range = due.ranges().get(from - 1);
      if (range.pair().endNanos() < recentFromNanos) {
        left -= range.bytes();
      }
      if (left < 0) {
        break;
      }
      from--;
    }
    if (from > 0) {
      passedOverBytes = Math.min(mostBytes, due.ranges().get(from - 1).bytes());
    }
    for (BackfillPlan.Range range : due.ranges().subList(0, from)) {
      PairProgress passedOver = pairs.of(range.pair().stamp());
      if (passedOver != null) {
        passedOver.openAgainAt(Long.MAX_VALUE / 2 + now);
      }
    }
    boolean none = from > 0 && from == due.ranges().size();
    return none && headroomBytes >= mostBytes
        ? endOf(due.ranges().get(from - 1), due, now)
        : due.from(from);
  }

  /**
   * Returns the last segments of a range that is too long to be put into blocks at once. The rest
   * is due again.
   */
  private BackfillPlan endOf(BackfillPlan.Range range, BackfillPlan due, long now)
      throws IOException {
    PairProgress pair = pairs.of(range.pair().stamp());
    PairLog log = pair == null ? null : open(pair, now);
    if (log == null) {
      return due.from(due.ranges().size());
    }
    long to = range.toOffset();
    long from = log.milestones().offsetAfter(to - mostBytes - 1, to);
    if (from == to) {
      from = log.milestones().offset(log.milestones().lastUpTo(to - 1));
    }
    BackfillPlan.Range end =
        new BackfillPlan.Range(range.pair(), Math.max(from, range.fromOffset()), to, false);
    return new BackfillPlan(group, List.of(end), due.coveredBytes(), due.snapshots());
  }

  /**
   * Returns the whole segments of a range of the log that are in no block, of any age.
   *
   * @param from a position in any pair
   * @param to the end of the range, exclusive, in any pair
   */
  BackfillPlan within(LogPosition from, LogPosition to, Coverage coverage) throws IOException {
    long now = System.nanoTime();
    BackfillPlan.Builder plan = new BackfillPlan.Builder(group, coverage, new PairSnapshots());
    for (PairProgress pair : pairs.all()) {
      String stamp = pair.pair().stamp();
      boolean inside = stamp.compareTo(from.stamp()) >= 0 && stamp.compareTo(to.stamp()) <= 0;
      PairLog log = inside ? open(pair, now) : null;
      if (log == null) {
        plan.passOver();
      } else {
        long begin = stamp.equals(from.stamp()) ? from.offset() : 0;
        long end = stamp.equals(to.stamp()) ? to.offset() : Long.MAX_VALUE;
        try {
          plan.add(log, TimeRange.ALL, begin, end);
        } catch (UnavailableException e) {
          plan.passOver();
          problems.reportOfArchive(group, String.valueOf(e.getMessage()));
        }
      }
    }
    return plan.build();
  }

  /**
   * Adds the due segments of a pair. A pair that cannot be read is reported, and the other pairs
   * are read.
   */
  private void addOrReport(
      PairProgress pair, Coverage coverage, BackfillPlan.Builder plan, long now)
      throws IOException {
    String what = pair.pair().stamp() + " segments";
    try {
      addDue(pair, coverage, plan, now);
      problems.end(group, what);
    } catch (UnavailableException e) {
      plan.passOver();
      problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      pair.openAgainAt(now + settings.poll().toNanos());
    }
  }

  private void addDue(PairProgress pair, Coverage coverage, BackfillPlan.Builder plan, long now)
      throws IOException {
    PairLog log = open(pair, now);
    if (log != null && schedule.isDue(pair, log, coverage, now)) {
      plan.add(log, TimeRange.ALL);
    } else {
      plan.passOver();
    }
  }

  private @Nullable PairLog open(PairProgress pair, long now) throws IOException {
    String what = pair.pair().stamp();
    try {
      PairLog log = pair.pair().open();
      if (log.isCutShort()) {
        problems.beginOfArchive(group, what, log.behindEnd().toString());
      } else {
        problems.end(group, what);
      }
      return log;
    } catch (PendingPairException e) {
      pair.openAgainAt(now + settings.poll().toNanos());
    } catch (UnavailableException e) {
      if (!pair.isBeginning(now, e)) {
        problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      }
      pair.openAgainAt(now + settings.poll().toNanos());
    } catch (CorruptLogException | TooNewException e) {
      problems.beginOfArchive(group, what, String.valueOf(e.getMessage()));
      pair.openAgainAt(now + DAMAGED_AGAIN_NANOS);
    }
    return null;
  }
}
