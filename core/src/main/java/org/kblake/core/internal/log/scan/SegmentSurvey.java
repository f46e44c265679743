package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.DamageList;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.Span;
import org.kblake.core.layout.LogLayout;

/**
 * Describes the segments of a stretch that {@link SegmentValidator} has judged, event by event:
 * finds milestones that the index does not know, strays, and what is damaged. Slow and thorough:
 * only stretches come here that have something of the kind.
 */
final class SegmentSurvey {

  private final PairLog log;
  private final LogLayout layout;
  private final EventProbe probe;
  private final Boundaries boundaries;
  private final SegmentValidator validator;
  private final Path file;

  SegmentSurvey(PairLog log, LogWindow window, Boundaries boundaries, SegmentValidator validator) {
    this.log = log;
    this.boundaries = boundaries;
    this.validator = validator;
    layout = log.layout();
    probe = new EventProbe(layout, log.rules(), window);
    file = log.pair().logPath();
  }

  /**
   * Describes the segment that begins at an offset.
   *
   * @param offset of the boundary that was validated, or of a milestone that the index does not
   *     know
   */
  Segment describe(long offset, WalkResult result) throws IOException {
    DamageList damage = new DamageList(file);
    int boundary = boundaries.indexOf(offset);
    Span times;
    long nanos;
    if (boundary >= 0) {
      damage.addAll(result.damage());
      times = boundaries.times(boundary);
      nanos = boundaries.nanos(boundary);
      addMilestoneFault(boundary, result, damage);
    } else {
      nanos = probe.nanos(offset);
      times = Span.at(nanos);
    }
    if (offset == result.stopOffset()) {
      return new Tally(result, damage, span(times, result, offset, offset), nanos)
          .stop(offset, offset, offset);
    }
    long eventsOffset = offset + probe.length(offset);
    long end = nextMilestone(eventsOffset, result);
    Span span = span(times, result, end, offset);
    return tally(offset, eventsOffset, end, result, new Tally(result, damage, span, nanos));
  }

  private Segment tally(long start, long eventsOffset, long end, WalkResult result, Tally tally)
      throws IOException {
    int head = layout.recordHeaderBytes();
    long offset = eventsOffset;
    while (offset < end) {
      int length = probe.length(offset);
      boolean headFits = log.dataBytes() - offset >= head;
      String fault = headFits ? fault(offset) : "length=" + length + ", expected at least " + head;
      long nanos = headFits ? probe.nanos(offset) : 0;
      if (!result.sound() && isImplausible(offset, nanos, headFits, tally.span)) {
        return tally.stop(start, eventsOffset, offset);
      }
      if (fault == null) {
        tally.add(nanos);
      } else if (result.end() != Segment.End.DAMAGED
          && !boundaries.exists(result.next())
          && validator.isTorn(offset)) {
        return tally.stop(start, eventsOffset, offset);
      } else {
        tally.damage.add(offset, length, "found " + fault, Damage.Kind.EVENT);
      }
      offset += length;
    }
    return end < result.stopOffset()
        ? tally.milestone(start, eventsOffset, end)
        : tally.stop(start, eventsOffset, end);
  }

  private boolean isImplausible(long offset, long nanos, boolean headFits, Span span)
      throws IOException {
    if (!headFits || !span.contains(nanos)) {
      return true;
    }
    return probe.isMilestone(offset) || probe.headerFault(offset) != null;
  }

  private @Nullable String fault(long offset) throws IOException {
    if (probe.isMilestone(offset)) {
      String fault = probe.milestoneFault(offset, log.dataBytes());
      return fault == null ? "a milestone that ends too late" : fault;
    }
    return probe.fault(offset);
  }

  /** The next milestone that the index does not know, or where the walk stopped. */
  private long nextMilestone(long fromOffset, WalkResult result) throws IOException {
    long offset = fromOffset;
    while (offset < result.stopOffset()) {
      int length = probe.length(offset);
      if (probe.isMilestone(offset)
          && length <= result.stopOffset() - offset
          && probe.milestoneFault(offset, log.dataBytes()) == null) {
        return offset;
      }
      offset += length;
    }
    return offset;
  }

  private void addMilestoneFault(int boundary, WalkResult result, DamageList damage)
      throws IOException {
    long offset = boundaries.offset(boundary);
    if (offset == result.stopOffset()) {
      return;
    }
    int id = probe.id(offset);
    String fault =
        id != LogLayout.MILESTONE_ID
            ? "id=" + id + ", expected a milestone's"
            : probe.milestoneFault(offset, log.dataBytes());
    if (fault == null && !boundaries.agrees(boundary)) {
      fault =
          "time="
              + boundaries.nanos(boundary)
              + " ns, expected "
              + boundaries.indexedNanos(boundary)
              + " as in the index";
    }
    if (fault != null) {
      damage.add(offset, probe.length(offset), "found " + fault, Damage.Kind.MILESTONE);
    }
  }

  /** From a milestone to the next one, or to where the last segment's span ends. */
  private Span span(Span times, WalkResult result, long end, long start) throws IOException {
    Span span;
    if (end < result.stopOffset() && end > start) {
      span = times.and(probe.nanos(end));
    } else if (boundaries.exists(result.next())) {
      span = times.and(boundaries.times(result.next()));
    } else {
      span = log.lastSpan(times);
    }
    return span.widened(log.disorderBoundNanos());
  }

  /** What has been counted of a segment so far. */
  private final class Tally {

    private final WalkResult result;
    private final DamageList damage;
    private final Span span;
    private final long milestoneNanos;
    private int events;
    private int strays;
    private long firstNanos = Long.MAX_VALUE;
    private long lastNanos = Long.MIN_VALUE;

    Tally(WalkResult result, DamageList damage, Span span, long milestoneNanos) {
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

    /** The segment ends with a milestone that the index does not know. */
    Segment milestone(long start, long eventsOffset, long end) {
      return segment(start, eventsOffset, end, end, true, Segment.End.MILESTONE);
    }

    /** The segment is the last one of the stretch that was validated; served up to an offset. */
    Segment stop(long start, long eventsOffset, long servedEnd) throws IOException {
      boolean bounded = boundaries.exists(result.next());
      long end = bounded ? boundaries.offset(result.next()) : log.logBytes();
      boolean early = servedEnd < result.stopOffset() && result.sound();
      Segment.End kind = early ? validator.unfinished() : result.end();
      switch (kind) {
        case DAMAGED ->
            damage.add(servedEnd, end - servedEnd, stretch(servedEnd), Damage.Kind.STRETCH);
        case CUT ->
            damage.add(
                servedEnd,
                end - servedEnd,
                "found an event cut short or zeros; kblog ended here",
                Damage.Kind.CUT);
        case MILESTONE, END_OF_PAIR, UNWRITTEN -> {}
      }
      boolean whole = log.closed() || bounded && kind != Segment.End.UNWRITTEN;
      return segment(start, eventsOffset, servedEnd, end, whole, kind);
    }

    private String stretch(long offset) throws IOException {
      if (log.dataBytes() - offset < layout.recordHeaderBytes()) {
        return "found the end of the file, expected a whole event";
      }
      String fault = probe.headerFault(offset);
      if (fault == null) {
        fault =
            span.contains(probe.nanos(offset))
                ? "length=" + probe.length(offset) + ", expected to end before the next milestone"
                : "time=" + probe.nanos(offset) + " ns, expected within the segment's span";
      }
      return "found " + fault;
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
