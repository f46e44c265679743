package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.KnownMilestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.Span;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/**
 * Walks over the last segment of a growing log, and those that follow, as far as events are there
 * and plausible. What it has walked over stays given, so it stops before an invalid event, until a
 * milestone of the index shows how to continue.
 *
 * <pre>
 *   length 0, an event cut short            not written yet: nothing is said, continue there later
 *   length 0 where all bytes are final,
 *     and a milestone is known behind it    an obstacle
 *   impossible length, unknown id           an obstacle
 *   past a milestone of the index   an obstacle
 *   a milestone that cannot be one          an obstacle, unless the index knows it
 *   impossible state, severity or time      damaged, skipped
 * </pre>
 */
final class TailWalk {

  private final PairLog log;
  private final LogLayout layout;
  private final EventRules rules;
  private final LogWindow window;
  private final EventProbe probe;
  private final HeaderWalk walk;
  private final Consumer<Damage> damage;

  private KnownMilestones known;
  private long offset;

  /** The segment's milestone, and its span as far as it is known; null: one has to begin. */
  private @Nullable Span span;

  private long segmentOffset;
  private long eventsOffset;
  private long milestoneNanos;

  /** An entry of the index that leads to an event. */
  private long brokenEntryOffset = -1;

  private @Nullable String obstacle;

  TailWalk(PairLog log, LogWindow window, KnownMilestones known, Consumer<Damage> damage) {
    this.log = log;
    this.window = window;
    this.known = known;
    this.damage = damage;
    layout = log.layout();
    rules = log.rules();
    probe = new EventProbe(layout, rules, window);
    walk = new HeaderWalk(layout, rules, log.order(), null);
  }

  /** The index was read again. */
  void know(KnownMilestones now) {
    known = now;
  }

  /** Goes to where a milestone is. */
  void begin(long milestoneOffset) {
    offset = milestoneOffset;
    span = null;
    obstacle = null;
  }

  /** Goes to an event in a segment that was scanned up to there. */
  void resume(Segment segment, long eventOffset) {
    offset = eventOffset;
    segmentOffset = segment.startOffset();
    eventsOffset = segment.eventsOffset();
    milestoneNanos = segment.milestoneNanos();
    span = new Span(segment.spanFromNanos(), Long.MAX_VALUE);
    obstacle = null;
  }

  /** Where the next event is that was not walked over. */
  long offset() {
    return offset;
  }

  /** Where the segment of that event begins; the event's own place if that is a milestone. */
  long segmentOffset() {
    return span == null ? offset : segmentOffset;
  }

  /** Whether a segment begins here. */
  boolean isBetweenSegments() {
    return span == null || isIndexedHere();
  }

  /** What is invalid in the next event; null if it is only not written yet. */
  @Nullable String obstacle() {
    return obstacle;
  }

  /**
   * Walks on.
   *
   * @param dataBytes how much of the log counts as written
   * @return the events walked over; null if there are none now
   */
  @Nullable Segment walk(long dataBytes) throws IOException {
    obstacle = null;
    while (true) {
      if (isCutByZeros(dataBytes)) {
        return null;
      }
      if (isBetweenSegments() && !beginSegment(dataBytes) && offset != brokenEntryOffset) {
        if (!overcome()) {
          return null;
        }
        continue;
      }
      // of the event behind the milestone
      if (isCutByZeros(dataBytes)) {
        return null;
      }
      long start = offset;
      walk.run(window, start, Math.min(dataBytes, known.after(start)));
      if (walk.stopOffset() > start && reachesIntoZeros(walk.stopOffset(), dataBytes)) {
        walk.run(window, start, lastEvent(start, walk.stopOffset()));
      }
      if (walk.stopOffset() > start) {
        offset = walk.stopOffset();
        if (walk.earliestNanos() == LogLayout.IMPOSSIBLE_NANOS) {
          addImpossibleTimes(start);
        }
        return stretch(start);
      }
      if (isIndexedHere()) {
        continue;
      }
      if (!pass(dataBytes) && !overcome()) {
        return null;
      }
    }
  }

  /**
   * Gets past an obstacle by the next milestone that is known: if the lengths of the events land
   * there, only this event is damaged; otherwise everything up to there is.
   */
  private boolean overcome() throws IOException {
    String found = obstacle;
    long next = known.after(offset);
    if (found == null || next == KnownMilestones.NONE) {
      return false;
    }
    obstacle = null;
    if (span != null && landsOn(next)) {
      int length = probe.length(offset);
      add(length, found, Damage.Kind.EVENT);
      offset += length;
    } else {
      add(next - offset, found, Damage.Kind.STRETCH);
      begin(next);
    }
    return true;
  }

  private boolean landsOn(long milestoneOffset) throws IOException {
    long at = offset;
    while (at < milestoneOffset) {
      int length = probe.length(at);
      if (length < layout.eventHeaderBytes()) {
        return false;
      }
      at += length;
    }
    return at == milestoneOffset;
  }

  private boolean isIndexedHere() {
    return offset != segmentOffset && offset != brokenEntryOffset && known.isIndexed(offset);
  }

  private Segment stretch(long start) {
    Span around = span();
    return new Segment(
        segmentOffset,
        start,
        offset,
        offset,
        milestoneNanos,
        around.fromNanos(),
        around.toNanos(),
        false,
        walk.events(),
        0,
        walk.earliestNanos(),
        walk.latestNanos(),
        Segment.End.UNWRITTEN,
        List.of());
  }

  private Span span() {
    Span around = span;
    if (around == null) {
      throw new IllegalStateException("no segment has begun: offset=" + offset);
    }
    return around;
  }

  /** Gets past what is not usual: a milestone, or an event that is damaged but has its place. */
  private boolean pass(long dataBytes) throws IOException {
    long left = dataBytes - offset;
    if (left < layout.eventHeaderBytes()) {
      return false;
    }
    int length = probe.length(offset);
    if (length == 0) {
      return unwritten();
    }
    String fault = probe.headerFault(offset);
    if (fault != null) {
      return stop(fault, dataBytes);
    }
    if (!isInReach(length, dataBytes)) {
      return false;
    }
    if (probe.isMilestone(offset)) {
      return beginSegment(dataBytes);
    }
    fault = probe.fault(offset);
    if (fault == null) {
      throw new IllegalStateException("undamaged event was not walked over: offset=" + offset);
    }
    if (known.after(offset) == KnownMilestones.NONE && isTorn(dataBytes)) {
      return false;
    }
    add(length, fault, Damage.Kind.EVENT);
    offset += length;
    return true;
  }

  /** Reads the milestone that is here; false if that cannot be done now. */
  private boolean beginSegment(long dataBytes) throws IOException {
    long left = dataBytes - offset;
    if (left < layout.eventHeaderBytes()) {
      return false;
    }
    int length = probe.length(offset);
    if (length == 0) {
      return unwritten();
    }
    boolean indexed = known.isIndexed(offset);
    if (!probe.isMilestone(offset) || !rules.isMilestoneLength(length)) {
      if (span != null && left >= layout.recordHeaderBytes() && probe.fault(offset) == null) {
        brokenEntryOffset = offset;
        return false;
      }
      return stop("no milestone, expected one", dataBytes);
    }
    if (!isInReach(length, dataBytes)) {
      return false;
    }
    String fault = probe.milestoneFault(offset, dataBytes);
    if (fault != null) {
      if (!indexed) {
        return stop(fault, dataBytes);
      }
      add(length, fault, Damage.Kind.MILESTONE);
    }
    begin(probe.nanos(offset), length);
    return true;
  }

  private void begin(long headerNanos, int length) {
    long indexed = known.nanos(offset);
    long nanos = headerNanos;
    if (nanos == LogLayout.IMPOSSIBLE_NANOS) {
      nanos = indexed == LogLayout.IMPOSSIBLE_NANOS ? log.pair().beginNanos() : indexed;
    }
    Span times = Span.at(nanos);
    if (indexed != LogLayout.IMPOSSIBLE_NANOS) {
      times = times.and(indexed);
    }
    span = log.lastSpan(times).widened(log.disorderBoundNanos());
    milestoneNanos = nanos;
    segmentOffset = offset;
    offset += length;
    eventsOffset = offset;
  }

  /** Zeros are not written yet, unless all bytes are final and there is a milestone behind them. */
  private boolean unwritten() throws IOException {
    if (!log.provisional() && known.after(offset) != KnownMilestones.NONE) {
      obstacle = "zeros, expected an event";
    }
    return false;
  }

  /** Whether what is here reaches into zeros in the middle of the log, whatever it reads like. */
  private boolean isCutByZeros(long dataBytes) throws IOException {
    if (dataBytes - offset < layout.eventHeaderBytes()) {
      return false;
    }
    int length = probe.length(offset);
    return length > 0 && reachesIntoZeros(offset + length, dataBytes);
  }

  /**
   * Whether what ends at an offset ends in zeros, and zeros follow with data behind them. Over a
   * network that may be a page which is not there yet, and which begins within the event.
   */
  private boolean reachesIntoZeros(long end, long dataBytes) throws IOException {
    return log.provisional()
        && dataBytes - end >= layout.eventHeaderBytes()
        && probe.length(end) == 0
        && window.buffer().get(window.show(end - 1, 1)) == 0
        && TailZeros.lastWritten(window.file(), dataBytes) > end;
  }

  /** Where the last one begins of the events between two offsets. */
  private long lastEvent(long from, long to) throws IOException {
    long at = from;
    while (at + probe.length(at) < to) {
      at += probe.length(at);
    }
    return at;
  }

  /** Whether an event is there as a whole, and does not run into a milestone. */
  private boolean isInReach(int length, long dataBytes) throws IOException {
    long next = known.after(offset);
    if (length > next - offset) {
      obstacle = "length=" + length + ", expected to end before the next milestone at " + next;
      return false;
    }
    return length <= dataBytes - offset;
  }

  /** Zeros behind a header are what is not written yet; anything else is an obstacle. */
  private boolean stop(String fault, long dataBytes) throws IOException {
    obstacle = isTorn(dataBytes) ? null : fault;
    return false;
  }

  /** Whether only zeros follow the header that is here. */
  private boolean isTorn(long dataBytes) throws IOException {
    return TailZeros.lastWritten(window.file(), dataBytes) <= offset + layout.eventHeaderBytes();
  }

  private void addImpossibleTimes(long start) throws IOException {
    long end = offset;
    for (offset = start; offset < end; ) {
      int length = probe.length(offset);
      String fault = probe.fault(offset);
      if (fault != null) {
        add(length, fault, Damage.Kind.EVENT);
      }
      offset += length;
    }
  }

  private void add(long length, String fault, Damage.Kind kind) {
    damage.accept(new Damage(log.pair().logPath(), offset, length, "found " + fault, kind));
  }

  /** Of the segment's events that were walked over, where the first is at or behind an offset. */
  long eventAtOrBehind(long wantedOffset) throws IOException {
    long at = eventsOffset;
    while (at < wantedOffset && at < offset) {
      at += probe.length(at);
    }
    return at;
  }
}
