package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.DamageList;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.Span;
import org.kblake.core.layout.LogLayout;

/**
 * A description of segments event by event, after {@link SegmentValidator} validated their stretch.
 * It finds milestones without an index entry, strays and damage. It is slow, and therefore used
 * only for stretches that have one of these.
 */
final class SegmentSurvey {

  private final PairLog log;
  private final LogLayout layout;
  private final WalkRules rules;
  private final EventProbe probe;
  private final Boundaries boundaries;
  private final Path file;

  SegmentSurvey(PairLog log, WalkRules rules, Boundaries boundaries) {
    this.log = log;
    this.boundaries = boundaries;
    this.rules = rules;
    layout = log.layout();
    probe = rules.probe();
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
      boolean headFits = rules.hasRecordHeader(offset);
      String fault = headFits ? fault(offset) : "length=" + length + ", expected at least " + head;
      long nanos = headFits ? probe.nanos(offset) : 0;
      if (!result.sound() && isImplausible(offset, nanos, headFits, tally.span)) {
        return tally.stop(start, eventsOffset, offset);
      }
      if (fault == null) {
        tally.add(nanos);
      } else if (result.end() != Segment.End.DAMAGED
          && !boundaries.exists(result.next())
          && rules.isTorn(offset)) {
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

  private boolean isImplausible(long offset, long nanos, boolean headFits, Span span)
      throws IOException {
    if (!headFits || !span.contains(nanos)) {
      return true;
    }
    return probe.isMilestone(offset) || probe.headerFault(offset) != null;
  }

  private @Nullable String fault(long offset) throws IOException {
    if (probe.isMilestone(offset)) {
      String fault = probe.milestoneFault(offset, rules.dataBytes());
      return fault == null ? "a milestone that ends too late" : fault;
    }
    return probe.fault(offset);
  }

  /** Returns the offset of the next milestone without an index entry, or the walk's end. */
  private long nextMilestone(long fromOffset, WalkResult result) throws IOException {
    long offset = fromOffset;
    while (offset < result.stopOffset()) {
      int length = probe.length(offset);
      if (probe.isMilestone(offset)
          && length <= result.stopOffset() - offset
          && probe.milestoneFault(offset, rules.dataBytes()) == null) {
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
    String fault = probe.idFault(offset);
    if (fault == null) {
      fault = probe.milestoneFault(offset, rules.dataBytes());
    }
    if (fault == null) {
      fault = probe.timeFault(offset, boundaries.indexedNanos(boundary));
    }
    if (fault != null) {
      damage.add(offset, probe.length(offset), fault, Damage.Kind.MILESTONE);
    }
  }

  /** Returns the span from a milestone to the next one, or {@link PairLog#lastSpan}. */
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

  /** The counts and the damage of one segment so far. */
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

    /** Returns a segment that ends with a milestone without an index entry. */
    Segment milestone(long start, long eventsOffset, long end) {
      return segment(start, eventsOffset, end, end, true, Segment.End.MILESTONE);
    }

    /** Returns the last segment of the validated stretch, with events served up to an offset. */
    Segment stop(long start, long eventsOffset, long servedEnd) throws IOException {
      boolean bounded = boundaries.exists(result.next());
      long end = bounded ? boundaries.offset(result.next()) : log.logBytes();
      boolean early = servedEnd < result.stopOffset() && result.sound();
      Segment.End kind = early ? rules.unfinished() : result.end();
      switch (kind) {
        case DAMAGED ->
            damage.add(servedEnd, end - servedEnd, stretch(servedEnd), Damage.Kind.STRETCH);
        case CUT ->
            damage.add(
                servedEnd,
                end - servedEnd,
                "an event cut short or zeros; kblog ended here",
                Damage.Kind.CUT);
        case MILESTONE, END_OF_PAIR, UNWRITTEN -> {}
      }
      boolean whole = log.closed() || bounded && kind != Segment.End.UNWRITTEN;
      return segment(start, eventsOffset, servedEnd, end, whole, kind);
    }

    private String stretch(long offset) throws IOException {
      if (!rules.hasRecordHeader(offset)) {
        return "the end of the file, expected a whole event";
      }
      String fault = probe.headerFault(offset);
      if (fault != null) {
        return fault;
      }
      return span.contains(probe.nanos(offset))
          ? EventProbe.pastMilestone(probe.length(offset))
          : "time=" + probe.nanos(offset) + " ns, expected within the segment's span";
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
