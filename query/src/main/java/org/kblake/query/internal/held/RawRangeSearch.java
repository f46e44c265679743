package org.kblake.query.internal.held;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.IndexSegment;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.RawRange;

/**
 * Searches a range of one raw log backwards. Its milestones decide which segments are read.
 *
 * <p>A milestone repeats the last events of all channels. If two milestones state the same of a
 * channel, the log between them has no other event of it. So only the segments are read after which
 * milestones state something else, and the last segment of the pair, which no milestone repeats. A
 * silent pair of any length takes this segment and two milestones.
 *
 * <p>After a restart of kblog a milestone may know less than the log before it. kblog writes a
 * milestone when it starts, so this one does not come at the regular time after the one before. The
 * segment before an irregular milestone is always read. If the milestones of a pair are mostly
 * irregular, their times show no restart, and all segments are read.
 */
final class RawRangeSearch {

  /** A milestone is regular if its interval differs from the pair's by at most this part of it. */
  private static final int TOLERANCE = 100;

  /** Of so many milestones of a pair at most one is irregular, if their times show restarts. */
  private static final int IRREGULAR = 4;

  /** The times of fewer milestones show nothing. */
  private static final int MIN_MILESTONES = 8;

  private final HeldSearch search;
  private final PlannedRange planned;
  private final PairLog log;
  private final RawRange raw;
  private final List<IndexSegment> segments;
  private final boolean showsRestarts;

  /**
   * @param planned the range and its channels
   * @param range the segments that may have events of this range are searched
   */
  RawRangeSearch(HeldSearch search, PlannedRange planned, RawRange raw, TimeRange range)
      throws IOException {
    this.search = search;
    this.planned = planned;
    this.raw = raw;
    log = raw.log();
    segments = raw.segmentsMeeting(range);
    showsRestarts = showsRestarts();
  }

  private boolean showsRestarts() {
    int count = log.milestones().count();
    int irregular = 0;
    for (int i = 1; i < count; i++) {
      irregular += isRegularMilestone(i) ? 0 : 1;
    }
    return count >= MIN_MILESTONES && IRREGULAR * irregular <= count;
  }

  /**
   * A segment, and the milestone with which it begins; null if it cannot be read.
   *
   * @param segment -1 if none changes anything
   */
  private record Change(int segment, @Nullable HeldMilestone milestone) {}

  /**
   * Searches the range.
   *
   * @param behind the milestone with which the range before in this search began, which is used if
   *     this range ends there; null if none is known
   * @return the milestone with which this range begins; null if none is known
   */
  @Nullable HeldMilestone run(@Nullable HeldMilestone behind) throws IOException {
    if (!showsRestarts || !planned.channels().stream().allMatch(ChannelTarget::isOneRecord)) {
      search.states().takeLast(planned);
      HeldMilestone first = segments.isEmpty() || !isOpen() ? null : milestone(0);
      if (first != null) {
        search.use(first, planned, false);
      }
      return null;
    }
    HeldMilestone known = behind != null && isAt(behind, segments.size()) ? behind : null;
    int end = segments.size();
    while (end > 0 && isOpen()) {
      int begin = end - 1;
      while (begin > 0 && isRegular(begin)) {
        begin--;
      }
      known = run(begin, end, isRegular(end) ? known : null);
      end = begin;
    }
    return known;
  }

  private boolean isOpen() {
    return !search.states().remaining(planned.channels()).isEmpty();
  }

  /**
   * Searches some segments between which kblog did not restart.
   *
   * @param known the milestone behind them; null if it is not known
   * @return the milestone with which they begin
   */
  private @Nullable HeldMilestone run(int begin, int end, @Nullable HeldMilestone known)
      throws IOException {
    HeldMilestone behind = known;
    int next = end;
    while (next > begin && isOpen()) {
      Change change = behind == null ? new Change(next - 1, null) : lastChange(begin, next, behind);
      if (change.segment() < 0) {
        return change.milestone();
      }
      read(change.segment());
      behind = change.milestone() == null ? milestone(change.segment()) : change.milestone();
      if (behind != null) {
        search.use(behind, planned, false);
      }
      next = change.segment();
    }
    return behind;
  }

  /**
   * Returns the last segment after which milestones state something else than before it; -1 and the
   * first milestone if all of them state the same.
   */
  private Change lastChange(int begin, int end, HeldMilestone behind) throws IOException {
    HeldMilestone before = milestone(begin);
    if (before != null && search.states().isSame(before, behind)) {
      return new Change(-1, before);
    }
    int low = begin;
    int high = end;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      HeldMilestone between = milestone(middle);
      if (between != null && search.states().isSame(between, behind)) {
        high = middle;
      } else {
        low = middle;
        before = between;
      }
    }
    return new Change(low, before);
  }

  private @Nullable HeldMilestone milestone(int segment) throws IOException {
    return search.milestone(log, segments.get(segment).fromOffset());
  }

  private void read(int segment) throws IOException {
    IndexSegment wanted = segments.get(segment);
    search
        .states()
        .takeLast(
            new PlannedRange(
                new RawRange(raw.pair(), log, wanted.fromOffset(), wanted.toOffset()),
                planned.content(),
                planned.records(),
                search.states().remaining(planned.channels()),
                List.of()));
  }

  private boolean isAt(HeldMilestone milestone, int segment) {
    return milestone.isAt(log, offset(segment));
  }

  private long offset(int segment) {
    return segment < segments.size()
        ? segments.get(segment).fromOffset()
        : segments.get(segment - 1).toOffset();
  }

  /** Returns whether the milestone before a segment came at the regular time. */
  private boolean isRegular(int segment) {
    int milestone = log.milestones().indexOfOffset(offset(segment));
    return milestone > 0 && isRegularMilestone(milestone);
  }

  private boolean isRegularMilestone(int milestone) {
    Milestones milestones = log.milestones();
    long interval = log.milestoneIntervalNanos();
    long since = milestones.nanos(milestone) - milestones.nanos(milestone - 1);
    return Math.abs(since - interval) <= interval / TOLERANCE;
  }
}
