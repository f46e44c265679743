package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.Span;
import org.kblake.core.layout.LogLayout;

/**
 * Walks from segment to segment of a stretch of a log. Headers of usual segments are walked once;
 * the others are validated and described event by event.
 */
final class SegmentWalk {

  private final PairLog log;
  private final LogLayout layout;
  private final LogWindow window;
  private final Boundaries boundaries;
  private final HeaderWalk walk;
  private final SegmentValidator validator;
  private final SegmentSurvey survey;
  private final MilestoneBody body;
  private final long toOffset;

  /** The boundary where the next segment begins; none: the stretch has ended. */
  private int boundary;

  /** What is known of a run of segments that is not finished, or null. */
  private @Nullable WalkResult result;

  /** Where the next segment of that run begins. */
  private long resultOffset;

  /**
   * @param boundaries from where the stretch begins
   * @param walk keeps events of each segment
   * @param toOffset no segment begins there or behind it
   */
  SegmentWalk(
      PairLog log, LogWindow window, Boundaries boundaries, HeaderWalk walk, long toOffset) {
    this.log = log;
    this.window = window;
    this.boundaries = boundaries;
    this.walk = walk;
    this.toOffset = toOffset;
    layout = log.layout();
    validator = new SegmentValidator(log, window, boundaries);
    survey = new SegmentSurvey(log, window, boundaries, validator);
    body = new MilestoneBody(layout, log.rules(), window);
  }

  /** The next segment; null at the end of the stretch. */
  @Nullable Segment next() throws IOException {
    WalkResult known = result;
    if (known != null) {
      return resultOffset < toOffset ? describe(resultOffset, known) : null;
    }
    if (!boundaries.exists(boundary)
        || boundaries.offset(boundary) >= toOffset
        || log.dataBytes() - boundaries.offset(boundary) < layout.eventHeaderBytes()) {
      return null;
    }
    Segment usual = usual();
    return usual == null
        ? describe(boundaries.offset(boundary), validator.validate(boundary))
        : usual;
  }

  /** Walks a segment in which nothing is out of the ordinary; null: there is something. */
  private @Nullable Segment usual() throws IOException {
    long start = boundaries.offset(boundary);
    int next = boundaries.after(boundary);
    long limit = validator.limit(next);
    if (!boundaries.isMilestone(boundary)
        || !boundaries.agrees(boundary)
        || boundaries.exists(next) && !boundaries.isMilestone(next)) {
      return null;
    }
    int position = window.show(start, layout.eventHeaderBytes());
    int length = layout.length(window.buffer(), position);
    if (length > limit - start || body.fault(start, start + length) != null) {
      return null;
    }
    long nanos = boundaries.nanos(boundary);
    Span times = boundaries.times(boundary);
    Span span =
        (boundaries.exists(next) ? times.and(boundaries.times(next)) : log.lastSpan(times))
            .widened(log.disorderBoundNanos());
    walk.run(window, start + length, limit);
    Segment.End end =
        walk.stopOffset() == limit && boundaries.exists(next)
            ? Segment.End.MILESTONE
            : boundaries.exists(next) ? Segment.End.DAMAGED : validator.ending(walk.stopOffset());
    boolean usual =
        walk.events() == 0
            || span.contains(walk.earliestNanos()) && span.contains(walk.latestNanos());
    if (!usual
        || end == Segment.End.DAMAGED
        || end == Segment.End.CUT
        || end == Segment.End.UNWRITTEN && validator.reachesIntoZeros(walk.stopOffset())) {
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

  /** Describes a segment that was validated, and notes where the one behind it begins. */
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
