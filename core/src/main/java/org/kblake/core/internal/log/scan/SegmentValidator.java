package org.kblake.core.internal.log.scan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.PairLog;

/**
 * A validator of segments by the lengths of their events. A segment is sound if these lengths lead
 * to the next milestone of the index. The last segment is sound if they lead to a valid end of the
 * log.
 *
 * <p>If events reach across the offset of an index entry, no milestone header is at that offset,
 * and the lengths lead to a later boundary, then the entry is broken. If the lengths lead to no
 * boundary, the events are ignored.
 *
 * <p>In a growing log a length of 0 means that nothing is written there yet. If the log has a
 * milestone behind the zeros, only this segment is incomplete, and the next segment is read as
 * usual. Thus the contents of a segment do not depend on where a scan begins.
 */
final class SegmentValidator {

  private static final int NONE = -1;

  private final PairLog log;
  private final EventWalk events;
  private final Boundaries boundaries;

  /** The last boundary at which the log has a milestone, or {@link #NONE} before the search. */
  private int lastMilestone = NONE;

  SegmentValidator(PairLog log, EventWalk events, Boundaries boundaries) {
    this.log = log;
    this.events = events;
    this.boundaries = boundaries;
  }

  /** Returns the offset of a boundary, or the end of data if the boundary does not exist. */
  long limit(int boundary) {
    return boundaries.exists(boundary) ? boundaries.offset(boundary) : events.dataBytes();
  }

  WalkResult validate(int start) throws IOException {
    List<Damage> damage = new ArrayList<>();
    int next = boundaries.after(start);
    int crossed = NONE;
    long crossingOffset = NONE;
    long lastCrossedOffset = NONE;
    long offset = boundaries.offset(start);
    long eventOffset = offset;
    while (true) {
      if (boundaries.exists(next) && offset == boundaries.offset(next)) {
        if (isBoundary(next)) {
          if (events.reachesIntoZeros(offset)) {
            return new WalkResult(true, next, eventOffset, Segment.End.UNWRITTEN, damage);
          }
          dropCrossed(crossed, next, damage);
          return new WalkResult(true, next, offset, Segment.End.MILESTONE, damage);
        }
        drop(next, "a record's event", damage);
        next = boundaries.after(next);
        continue;
      }
      long length = events.step(offset, offset == boundaries.offset(start));
      if (length > 0 && length <= limit(next) - offset) {
        eventOffset = offset;
        offset += length;
        continue;
      }
      boolean zeros = !log.closed() && events.found(offset) == EventWalk.Found.ZEROS;
      if (zeros && (crossed == NONE || !isWrittenFrom(next))) {
        int behind = isWrittenFrom(next) ? next : boundaries.none();
        long stop = events.reachesIntoZeros(offset) ? eventOffset : offset;
        return new WalkResult(true, behind, stop, Segment.End.UNWRITTEN, damage);
      }
      if (!boundaries.exists(next)) {
        Segment.End end = events.ending(offset);
        // An incomplete event does not show that the entries behind its begin are broken.
        if (end != Segment.End.DAMAGED && lastCrossedOffset <= offset) {
          dropCrossed(crossed, next, damage);
          return new WalkResult(true, next, offset, end, damage);
        }
      } else if (length > 0 && !boundaries.isMilestone(next)) {
        if (crossed == NONE) {
          crossed = next;
          crossingOffset = offset;
        }
        lastCrossedOffset = boundaries.offset(next);
        next = boundaries.after(next);
        continue;
      }
      return crossed == NONE
          ? new WalkResult(false, next, offset, Segment.End.DAMAGED, damage)
          : new WalkResult(false, crossed, crossingOffset, Segment.End.DAMAGED, damage);
    }
  }

  /**
   * Returns whether a segment begins at a boundary. If its entry leads to an undamaged event of a
   * record, the entry is broken. Otherwise the milestone may be damaged.
   */
  private boolean isBoundary(int i) throws IOException {
    return boundaries.isMilestone(i) || !events.isUndamagedEvent(boundaries.offset(i));
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
        Damage.of(
            log.pair().indexPath(),
            log.entryOffset(boundaries.offset(i)),
            log.layout().milestoneEntryBytes(),
            "log offset="
                + boundaries.offset(i)
                + ", expected a milestone there but it is "
                + found,
            Damage.Kind.INDEX));
  }

  /** Returns whether the log has a milestone at a boundary or behind it. */
  private boolean isWrittenFrom(int boundary) throws IOException {
    if (lastMilestone == NONE) {
      lastMilestone = boundaries.none() - 1;
      while (lastMilestone > 0 && !boundaries.isMilestone(lastMilestone)) {
        lastMilestone--;
      }
    }
    return boundary <= lastMilestone;
  }
}
