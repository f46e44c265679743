package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/**
 * Validates a segment of the index by the lengths of its events: the walk is sound if it lands on
 * the next milestone that the index knows, or at the end of the log on what a reader must expect
 * there.
 *
 * <p>If events run past the offset of an index entry, no milestone's header is there, and they land
 * further on, the entry is what is broken. If they do not land anywhere, they are ignored.
 *
 * <p>In a growing log a length of 0 is what is not written yet. Where the log shows a milestone
 * behind it, only this segment is not written to its end, and the next one is read as any other:
 * what a segment holds does not depend on where a scan begins.
 */
final class SegmentValidator {

  private static final int NONE = -1;

  private final PairLog log;
  private final LogLayout layout;
  private final EventRules rules;
  private final EventProbe probe;
  private final LogWindow window;
  private final Boundaries boundaries;
  private final long dataBytes;

  private long lastWritten = NONE;

  /** The last boundary at which the log has a milestone; {@link #NONE}: not looked for yet. */
  private int lastMilestone = NONE;

  SegmentValidator(PairLog log, LogWindow window, Boundaries boundaries) {
    this.log = log;
    this.window = window;
    this.boundaries = boundaries;
    layout = log.layout();
    rules = log.rules();
    probe = new EventProbe(layout, rules, window);
    dataBytes = log.dataBytes();
  }

  /** Where a boundary is, or the end of data behind the last. */
  long limit(int boundary) {
    return boundaries.exists(boundary) ? boundaries.offset(boundary) : dataBytes;
  }

  WalkResult validate(int start) throws IOException {
    List<Damage> damage = new ArrayList<>();
    int next = boundaries.after(start);
    int crossed = NONE;
    long crossingOffset = NONE;
    long offset = boundaries.offset(start);
    long eventOffset = offset;
    while (true) {
      if (boundaries.exists(next) && offset == boundaries.offset(next)) {
        if (isBoundary(next)) {
          if (reachesIntoZeros(offset)) {
            return new WalkResult(true, next, eventOffset, Segment.End.UNWRITTEN, damage);
          }
          dropCrossed(crossed, next, damage);
          return new WalkResult(true, next, offset, Segment.End.MILESTONE, damage);
        }
        drop(next, "a record's event", damage);
        next = boundaries.after(next);
        continue;
      }
      long length = step(offset, offset == boundaries.offset(start));
      if (length > 0 && length <= limit(next) - offset) {
        eventOffset = offset;
        offset += length;
        continue;
      }
      if (isUnwritten(offset) && (crossed == NONE || !isWrittenFrom(next))) {
        int behind = isWrittenFrom(next) ? next : boundaries.none();
        long stop = reachesIntoZeros(offset) ? eventOffset : offset;
        return new WalkResult(true, behind, stop, Segment.End.UNWRITTEN, damage);
      }
      if (!boundaries.exists(next)) {
        Segment.End end = ending(offset);
        if (end != Segment.End.DAMAGED) {
          dropCrossed(crossed, next, damage);
          return new WalkResult(true, next, offset, end, damage);
        }
      } else if (length > 0 && !boundaries.isMilestone(next)) {
        if (crossed == NONE) {
          crossed = next;
          crossingOffset = offset;
        }
        next = boundaries.after(next);
        continue;
      }
      return crossed == NONE
          ? new WalkResult(false, next, offset, Segment.End.DAMAGED, damage)
          : new WalkResult(false, crossed, crossingOffset, Segment.End.DAMAGED, damage);
    }
  }

  /** The length of an event that can be stepped over, whatever else is wrong with it, or 0. */
  private int step(long offset, boolean milestone) throws IOException {
    if (dataBytes - offset < layout.eventHeaderBytes()) {
      return 0;
    }
    int length = probe.length(offset);
    boolean possible =
        milestone ? rules.isMilestoneLength(length) : length >= layout.eventHeaderBytes();
    return possible ? length : 0;
  }

  /**
   * An entry that leads to an undamaged event of a record is broken; a milestone may be damaged.
   */
  private boolean isBoundary(int i) throws IOException {
    if (boundaries.isMilestone(i)) {
      return true;
    }
    long offset = boundaries.offset(i);
    int head = layout.recordHeaderBytes();
    if (dataBytes - offset < head) {
      return true;
    }
    return probe.isMilestone(offset) || probe.fault(offset) != null;
  }

  private void dropCrossed(int crossed, int end, List<Damage> damage) {
    if (crossed == NONE) {
      return;
    }
    for (int i = crossed; i < end && boundaries.exists(i); i = boundaries.after(i)) {
      drop(i, "the middle of an event", damage);
    }
  }

  private void drop(int i, String found, List<Damage> damage) {
    boundaries.drop(i);
    damage.add(
        new Damage(
            log.pair().indexPath(),
            log.entryOffset(boundaries.offset(i)),
            layout.milestoneEntryBytes(),
            "found log offset="
                + boundaries.offset(i)
                + ", expected a milestone there but it is "
                + found,
            Damage.Kind.INDEX));
  }

  /** In a growing log length 0 means that nothing is written there yet. */
  private boolean isUnwritten(long offset) throws IOException {
    if (log.closed() || dataBytes - offset < layout.eventHeaderBytes()) {
      return false;
    }
    return probe.length(offset) == 0;
  }

  /** Whether the log shows a milestone at a boundary or at one behind it. */
  private boolean isWrittenFrom(int boundary) throws IOException {
    if (lastMilestone == NONE) {
      lastMilestone = boundaries.none() - 1;
      while (lastMilestone > 0 && !boundaries.isMilestone(lastMilestone)) {
        lastMilestone--;
      }
    }
    return boundary <= lastMilestone;
  }

  /**
   * Whether the event before an offset at which nothing is written ends in zeros that may be as
   * little written as those behind it: in the middle of a log that is seen over a network.
   */
  boolean reachesIntoZeros(long offset) throws IOException {
    return log.provisional()
        && offset > 0
        && isUnwritten(offset)
        && !isTorn(offset)
        && window.buffer().get(window.show(offset - 1, 1)) == 0;
  }

  /**
   * What the log ends with, where no milestone is known behind. Where a whole event begins the log
   * does not end: that is {@code DAMAGED}, too.
   */
  Segment.End ending(long offset) throws IOException {
    long left = dataBytes - offset;
    if (left == 0) {
      return log.closed() ? Segment.End.END_OF_PAIR : Segment.End.UNWRITTEN;
    }
    if (left < layout.eventHeaderBytes()) {
      return unfinished();
    }
    if (probe.headerFault(offset) == null) {
      return probe.length(offset) > left ? unfinished() : Segment.End.DAMAGED;
    }
    return isTorn(offset) || isUnwritten(offset) ? unfinished() : Segment.End.DAMAGED;
  }

  /** How a log ends that ends too early. */
  Segment.End unfinished() {
    return log.closed() ? Segment.End.CUT : Segment.End.UNWRITTEN;
  }

  /** Whether only zeros follow an event's header, or not even all of the header is there. */
  boolean isTorn(long offset) throws IOException {
    if (lastWritten == NONE) {
      lastWritten = TailZeros.lastWritten(window.file(), dataBytes);
    }
    return lastWritten <= offset + layout.eventHeaderBytes();
  }
}
