package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.DamageList;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.TimeSpan;

/**
 * A description of segments event by event, after {@link SegmentValidator} validated their span. It
 * finds milestones without an index entry, strays and damage. It is slow, and therefore used only
 * for spans that have one of these.
 */
final class SegmentSurvey {

  private final PairLog log;
  private final EventWalk walk;
  private final Boundaries boundaries;
  private final Path file;

  SegmentSurvey(PairLog log, EventWalk walk, Boundaries boundaries) {
    this.log = log;
    this.boundaries = boundaries;
    this.walk = walk;
    file = log.pair().logPath();
  }

  /**
   * Describes the segment that begins at an offset.
   *
   * @param offset the offset of the validated boundary, or of a milestone without an index entry
   */
  Segment describe(long offset, WalkResult result) throws IOException {
    DamageList damage = new DamageList(file);
    int boundary = boundaries.indexOf(offset);
    TimeSpan times;
    long nanos;
    if (boundary >= 0) {
      damage.addAll(result.damage());
      times = boundaries.times(boundary);
      nanos = boundaries.nanos(boundary);
      addMilestoneFault(boundary, result, damage);
    } else {
      nanos = walk.nanos(offset);
      times = TimeSpan.at(nanos);
    }
    if (offset == result.stopOffset()) {
      return new Tally(result, damage, span(times, result, offset, offset), nanos)
          .stop(offset, offset, offset);
    }
    long eventsOffset = offset + walk.length(offset);
    long end = walk.nextMilestone(eventsOffset, result.stopOffset());
    TimeSpan span = span(times, result, end, offset);
    return tally(offset, eventsOffset, end, result, new Tally(result, damage, span, nanos));
  }

  private Segment tally(long start, long eventsOffset, long end, WalkResult result, Tally tally)
      throws IOException {
    long offset = eventsOffset;
    while (offset < end) {
      int length = walk.length(offset);
      long nanos = walk.nanos(offset);
      if (!result.sound()
          && (walk.found(offset) != EventWalk.Found.EVENT || !tally.span.contains(nanos))) {
        return tally.stop(start, eventsOffset, offset);
      }
      String fault = walk.fault(offset);
      if (fault == null && walk.isMilestone(offset)) {
        fault = "a milestone that ends too late";
      }
      if (fault == null) {
        tally.add(nanos);
      } else if (result.end() != Segment.End.DAMAGED
          && !boundaries.exists(result.next())
          && walk.isTorn(offset)) {
        return tally.stop(start, eventsOffset, offset);
      } else {
        tally.damage.add(offset, length, fault, Damage.Kind.EVENT);
      }
      offset += length;
    }
    return end < result.stopOffset()
        ? tally.milestone(start, eventsOffset, end)
        : tally.stop(start, eventsOffset, end);
  }

  private void addMilestoneFault(int boundary, WalkResult result, DamageList damage)
      throws IOException {
    long offset = boundaries.offset(boundary);
    if (offset == result.stopOffset()) {
      return;
    }
    String fault = walk.milestoneFault(offset, boundaries.indexedNanos(boundary));
    if (fault != null) {
      damage.add(offset, walk.length(offset), fault, Damage.Kind.MILESTONE);
    }
  }

  /** Returns the span from a milestone to the next one, or {@link PairLog#lastSpan}. */
  private TimeSpan span(TimeSpan times, WalkResult result, long end, long start)
      throws IOException {
    TimeSpan span;
    if (end < result.stopOffset() && end > start) {
      span = times.and(walk.nanos(end));
    } else if (boundaries.exists(result.next())) {
      span = times.and(boundaries.times(result.next()));
    } else {
      span = log.lastSpan(times);
    }
    return span.widened(log.disorderBoundNanos());
  }

  /** The counts and the damage of one segment so far. */
  private final class Tally {

    private final WalkResult result;
    private final DamageList damage;
    private final TimeSpan span;
    private final long milestoneNanos;
    private int events;
    private int strays;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    Tally(WalkResult result, DamageList damage, TimeSpan span, long milestoneNanos) {
      this.result = result;
      this.damage = damage;
      this.span = span;
      this.milestoneNanos = milestoneNanos;
    }

    void add(long nanos) {
      events++;
      if (span.contains(nanos)) {
        firstNanos = Math.min(firstNanos, nanos);
        lastNanos = Math.max(lastNanos, nanos);
      } else {
        strays++;
      }
    }

    /** Returns a segment that ends with a milestone without an index entry. */
    Segment milestone(long start, long eventsOffset, long end) {
      return segment(start, eventsOffset, end, end, true, Segment.End.MILESTONE);
    }

    /** Returns the last segment of the validated span, with events served up to an offset. */
    Segment stop(long start, long eventsOffset, long servedEnd) throws IOException {
      boolean bounded = boundaries.exists(result.next());
      long end = bounded ? boundaries.offset(result.next()) : log.logBytes();
      boolean early = servedEnd < result.stopOffset() && result.sound();
      Segment.End kind = early ? walk.unfinished() : result.end();
      switch (kind) {
        case DAMAGED ->
            damage.add(servedEnd, end - servedEnd, obstacle(servedEnd), Damage.Kind.SPAN);
        case CUT ->
            damage.add(
                servedEnd,
                end - servedEnd,
                log.isCutShort()
                    ? "an event cut short or zeros; the log ends before its index"
                    : "an event cut short or zeros; kblog ended here",
                Damage.Kind.CUT);
        case MILESTONE, END_OF_PAIR, UNWRITTEN -> {}
      }
      boolean whole = log.closed() || bounded && kind != Segment.End.UNWRITTEN;
      return segment(start, eventsOffset, servedEnd, end, whole, kind);
    }

    private String obstacle(long offset) throws IOException {
      if (!walk.hasRecordHeader(offset)) {
        return "the end of the file, expected a whole event";
      }
      String fault = walk.headerFault(offset);
      if (fault != null) {
        return fault;
      }
      return span.contains(walk.nanos(offset))
          ? EventWalk.pastMilestone(walk.length(offset))
          : "time=" + walk.nanos(offset) + " ns, expected within the segment's span";
    }

    private Segment segment(
        long start, long eventsOffset, long servedEnd, long end, boolean whole, Segment.End kind) {
      return new Segment(
          start,
          eventsOffset,
          servedEnd,
          end,
          milestoneNanos,
          span.fromNanos(),
          span.toNanos(),
          whole,
          events,
          strays,
          firstNanos,
          lastNanos,
          kind,
          damage.toList());
    }
  }
}
