package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.TimeSpan;

/**
 * A walk from segment to segment of a span of a log. The headers of a usual segment are read once.
 * Other segments are validated and described event by event.
 */
final class SegmentWalk {

  private final PairLog log;
  private final LogWindow window;
  private final Boundaries boundaries;
  private final HeaderWalk walk;
  private final EventWalk events;
  private final SegmentValidator validator;
  private final SegmentSurvey survey;
  private final long toOffset;

  /** The boundary at which the next segment begins. If it does not exist, the span has ended. */
  private int boundary;

  /** The result for a validated span that has more segments, or null. */
  private @Nullable WalkResult result;

  /** The offset of the next segment of that span. */
  private long resultOffset;

  /**
   * @param boundaries the boundaries from the begin of the span on
   * @param walk keeps the positions of each segment's wanted events
   * @param toOffset the end of the span; no segment begins there or behind it
   */
  SegmentWalk(
      PairLog log, LogWindow window, Boundaries boundaries, HeaderWalk walk, long toOffset) {
    this.log = log;
    this.window = window;
    this.boundaries = boundaries;
    this.walk = walk;
    this.toOffset = toOffset;
    events = new EventWalk(log, window, false);
    validator = new SegmentValidator(log, events, boundaries);
    survey = new SegmentSurvey(log, events, boundaries);
  }

  /** Returns the next segment, or null at the end of the span. */
  @Nullable Segment next() throws IOException {
    WalkResult known = result;
    if (known != null) {
      return resultOffset < toOffset ? describe(resultOffset, known) : null;
    }
    if (!boundaries.exists(boundary)
        || boundaries.offset(boundary) >= toOffset
        || events.found(boundaries.offset(boundary)) == EventWalk.Found.END) {
      return null;
    }
    Segment usual = usual();
    return usual == null
        ? describe(boundaries.offset(boundary), validator.validate(boundary))
        : usual;
  }

  /** Walks over a segment. Returns null if it has damage, strays or unindexed milestones. */
  private @Nullable Segment usual() throws IOException {
    long start = boundaries.offset(boundary);
    int next = boundaries.after(boundary);
    long limit = validator.limit(next);
    if (!boundaries.isMilestone(boundary)
        || !boundaries.agrees(boundary)
        || boundaries.exists(next) && !boundaries.isMilestone(next)) {
      return null;
    }
    window.showWhole(start, limit - start);
    int length = events.length(start);
    if (length > limit - start || events.bodyFault(start) != null) {
      return null;
    }
    long nanos = boundaries.nanos(boundary);
    TimeSpan times = boundaries.times(boundary);
    TimeSpan span =
        (boundaries.exists(next) ? times.and(boundaries.times(next)) : log.lastSpan(times))
            .widened(log.disorderBoundNanos());
    walk.run(window, start + length, limit);
    Segment.End end =
        walk.stopOffset() == limit && boundaries.exists(next)
            ? Segment.End.MILESTONE
            : boundaries.exists(next) ? Segment.End.DAMAGED : events.ending(walk.stopOffset());
    boolean usual =
        walk.events() == 0
            || span.contains(walk.earliestNanos()) && span.contains(walk.latestNanos());
    if (!usual
        || end == Segment.End.DAMAGED
        || end == Segment.End.CUT
        || end == Segment.End.UNWRITTEN && events.reachesIntoZeros(walk.stopOffset())) {
      return null;
    }
    boundary = next;
    return new Segment(
        start,
        start + length,
        walk.stopOffset(),
        boundaries.exists(next) ? limit : log.logBytes(),
        nanos,
        span.fromNanos(),
        span.toNanos(),
        boundaries.exists(next) || log.closed(),
        walk.events(),
        0,
        walk.earliestNanos(),
        walk.latestNanos(),
        end,
        List.of());
  }

  /** Describes a validated segment, and sets the offset of the next one. */
  private Segment describe(long offset, WalkResult known) throws IOException {
    Segment segment = survey.describe(offset, known);
    walk.forget(segment.eventsOffset());
    if (segment.end() == Segment.End.MILESTONE && segment.endOffset() < known.stopOffset()) {
      result = known;
      resultOffset = segment.endOffset();
    } else {
      result = null;
      boundary = known.next();
    }
    return segment;
  }
}
