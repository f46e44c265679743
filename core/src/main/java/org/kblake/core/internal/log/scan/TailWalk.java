package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.KnownMilestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.TimeSpan;
import org.kblake.core.layout.LogLayout;

/**
 * A walk over the end of a growing log, from the last segment on. It continues as far as events are
 * written and plausible. Events that were walked over are never taken back. Therefore the walk
 * stops before an invalid event, until the index has a milestone behind that event.
 *
 * <pre>
 *   length 0, incomplete event              not written yet: no damage, continue there later
 *   length 0 where all bytes are final,
 *     and a milestone is known behind it    an obstacle
 *   impossible length, unknown id           an obstacle
 *   event that ends behind a milestone
 *     of the index                          an obstacle
 *   invalid milestone                       an obstacle, unless the index has an entry for it
 *   impossible state, severity or time      damaged, skipped
 * </pre>
 */
final class TailWalk {

  private final PairLog log;
  private final LogWindow window;
  private final EventWalk events;
  private final HeaderWalk walk;
  private final Consumer<Damage> damage;

  private KnownMilestones known;
  private long offset;

  /** The span of the segment, as far as it is known; null if a segment must begin at the offset. */
  private @Nullable TimeSpan span;

  private long segmentOffset;
  private long eventsOffset;
  private long milestoneNanos;

  /** The offset of an index entry that leads to an event of a record instead of a milestone. */
  private long brokenEntryOffset = -1;

  private @Nullable String obstacle;

  /** The milestone that was known before the bytes in memory were read; -1 before the first one. */
  private long knownBeforeRead = -1;

  TailWalk(PairLog log, LogWindow window, KnownMilestones known, Consumer<Damage> damage) {
    this.log = log;
    this.window = window;
    this.known = known;
    this.damage = damage;
    events = new EventWalk(log, window, true);
    walk = new HeaderWalk(log.layout(), log.rules(), log.order(), null);
  }

  /** Replaces the known milestones after the index was read again. */
  void update(KnownMilestones now) {
    known = now;
  }

  /** Moves to the offset of a milestone. */
  void begin(long milestoneOffset) {
    offset = milestoneOffset;
    span = null;
    obstacle = null;
  }

  /** Moves to an event of a segment that was scanned up to this event. */
  void resume(Segment segment, long eventOffset) {
    offset = eventOffset;
    segmentOffset = segment.startOffset();
    eventsOffset = segment.eventsOffset();
    milestoneNanos = segment.milestoneNanos();
    span = new TimeSpan(segment.spanFromNanos(), Long.MAX_VALUE);
    obstacle = null;
  }

  /** Returns the offset of the next event. */
  long offset() {
    return offset;
  }

  /** Returns the begin of the next event's segment; its own offset if it is a milestone. */
  long segmentOffset() {
    return span == null ? offset : segmentOffset;
  }

  /** Returns whether a segment begins at the offset. */
  boolean isBetweenSegments() {
    return span == null || isIndexedHere();
  }

  /** Returns the fault of the next event, or null if this event is only not written yet. */
  @Nullable String obstacle() {
    return obstacle;
  }

  /**
   * Continues the walk, up to the end of the window.
   *
   * @return the events that were walked over; null if there are none yet
   */
  @Nullable Segment walk() throws IOException {
    obstacle = null;
    while (true) {
      if (isCutByZeros()) {
        return null;
      }
      if (isBetweenSegments() && !pass(true) && offset != brokenEntryOffset) {
        if (!passObstacle()) {
          return null;
        }
        continue;
      }
      // The event behind the milestone may be cut by zeros, too.
      if (isCutByZeros()) {
        return null;
      }
      long start = offset;
      walk.run(window, start, Math.min(events.dataBytes(), known.after(start)));
      if (walk.stopOffset() > start && events.reachesIntoZeros(walk.stopOffset())) {
        walk.run(window, start, events.lastEvent(start, walk.stopOffset()));
      }
      if (walk.stopOffset() > start) {
        offset = walk.stopOffset();
        if (walk.earliestNanos() == LogLayout.IMPOSSIBLE_NANOS) {
          addImpossibleTimes(start);
        }
        return walked(start);
      }
      if (isIndexedHere()) {
        continue;
      }
      if (!pass(false) && !passObstacle()) {
        return null;
      }
    }
  }

  /**
   * Continues behind an obstacle if a milestone behind it is known. Bytes that were read before the
   * milestone was found are read again, because they may have been written meanwhile. If the
   * lengths of the events lead to that milestone, only this event is damaged. Otherwise everything
   * up to the milestone is damaged.
   */
  private boolean passObstacle() throws IOException {
    String found = obstacle;
    long next = known.after(offset);
    if (found == null || next == KnownMilestones.NONE) {
      return false;
    }
    obstacle = null;
    if (knownBeforeRead != next) {
      knownBeforeRead = next;
      window.forget();
      return true;
    }
    if (span != null && events.eventAtOrBehind(offset, next) == next) {
      int length = events.length(offset);
      add(length, found, Damage.Kind.EVENT);
      offset += length;
    } else {
      add(next - offset, found, Damage.Kind.SPAN);
      begin(next);
    }
    return true;
  }

  private boolean isIndexedHere() {
    return offset != segmentOffset && offset != brokenEntryOffset && known.isIndexed(offset);
  }

  private Segment walked(long start) {
    TimeSpan around = span();
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

  private TimeSpan span() {
    TimeSpan around = span;
    if (around == null) {
      throw new IllegalStateException("no segment has begun: offset=" + offset);
    }
    return around;
  }

  /**
   * Passes a milestone, or an event that is damaged but has a valid length. Returns false if the
   * event cannot be read now.
   *
   * @param milestone whether a milestone must begin here
   */
  private boolean pass(boolean milestone) throws IOException {
    EventWalk.Found found = events.found(offset);
    if (found == EventWalk.Found.END || found == EventWalk.Found.ZEROS) {
      noteFinalZeros(found);
      return false;
    }
    if (milestone && found != EventWalk.Found.MILESTONE) {
      if (span != null && events.isUndamagedEvent(offset)) {
        brokenEntryOffset = offset;
        return false;
      }
      return stop("no milestone, expected one");
    }
    String fault = events.headerFault(offset);
    if (fault != null) {
      return stop(fault);
    }
    int length = events.length(offset);
    if (!isInReach(length)) {
      return false;
    }
    fault = events.fault(offset);
    if (found == EventWalk.Found.MILESTONE) {
      if (fault != null && !known.isIndexed(offset)) {
        return stop(fault);
      }
      if (fault != null) {
        add(length, fault, Damage.Kind.MILESTONE);
      }
      begin(events.nanos(offset), length);
      return true;
    }
    if (fault == null) {
      throw new IllegalStateException("undamaged event was not walked over: offset=" + offset);
    }
    if (known.after(offset) == KnownMilestones.NONE && events.isTorn(offset)) {
      return false;
    }
    add(length, fault, Damage.Kind.EVENT);
    offset += length;
    return true;
  }

  private void begin(long headerNanos, int length) {
    long indexed = known.nanos(offset);
    long nanos = headerNanos;
    if (nanos == LogLayout.IMPOSSIBLE_NANOS) {
      nanos = indexed == LogLayout.IMPOSSIBLE_NANOS ? log.pair().beginNanos() : indexed;
    }
    TimeSpan times = TimeSpan.at(nanos);
    if (indexed != LogLayout.IMPOSSIBLE_NANOS) {
      times = times.and(indexed);
    }
    span = log.lastSpan(times).widened(log.disorderBoundNanos());
    milestoneNanos = nanos;
    segmentOffset = offset;
    offset += length;
    eventsOffset = offset;
  }

  /**
   * Zeros are not written yet. If all bytes are final and a milestone is known behind the zeros,
   * they are an obstacle.
   */
  private void noteFinalZeros(EventWalk.Found found) throws IOException {
    if (found == EventWalk.Found.ZEROS
        && !log.provisional()
        && known.after(offset) != KnownMilestones.NONE) {
      obstacle = "zeros, expected an event";
    }
  }

  /**
   * Returns whether the event at the offset, valid or not, ends in zeros in the middle of the log.
   */
  private boolean isCutByZeros() throws IOException {
    if (events.found(offset) == EventWalk.Found.END) {
      return false;
    }
    int length = events.length(offset);
    return length > 0 && events.reachesIntoZeros(offset + length);
  }

  /** Returns whether the whole event is written. It is an obstacle if it crosses a milestone. */
  private boolean isInReach(int length) throws IOException {
    long next = known.after(offset);
    if (length > next - offset) {
      obstacle = EventWalk.pastMilestone(length) + " at " + next;
      return false;
    }
    return length <= events.dataBytes() - offset;
  }

  /** Makes a fault an obstacle, unless only zeros follow the header: they are not written yet. */
  private boolean stop(String fault) throws IOException {
    obstacle = events.isTorn(offset) ? null : fault;
    return false;
  }

  private void addImpossibleTimes(long start) throws IOException {
    long end = offset;
    for (offset = start; offset < end; ) {
      int length = events.length(offset);
      String fault = events.fault(offset);
      if (fault != null) {
        add(length, fault, Damage.Kind.EVENT);
      }
      offset += length;
    }
  }

  private void add(long length, String fault, Damage.Kind kind) {
    damage.accept(Damage.of(log.pair().logPath(), offset, length, fault, kind));
  }

  /**
   * Returns the offset of the segment's first event, among those walked over, from an offset on.
   */
  long eventAtOrBehind(long wantedOffset) throws IOException {
    return events.eventAtOrBehind(eventsOffset, Math.min(wantedOffset, offset));
  }
}
