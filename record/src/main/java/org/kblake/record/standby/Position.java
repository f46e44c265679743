package org.kblake.record.standby;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.record.log.StampOrder;
import org.kblake.record.source.EventKind;

/**
 * Finds which events of a channel the recorder before this one has not written. It is shown the
 * events twice, in order. Where two answers are possible, it takes the one with more events, so
 * that nothing is lost.
 */
final class Position {

  private static final int NOWHERE = -2;
  private static final int BEFORE = -1;

  private final StampOrder order;
  private final List<Mark.Later> later;

  private final long aliveNanos;
  private final long clocksNanos;
  private final boolean hasBefore;
  private int connections;
  private int events;

  // Of the first time: where the last value of the stamps may be.
  private int exact = NOWHERE;
  private boolean isExactNear;
  private int fewer = NOWHERE;
  private boolean hasMore;
  private int only = NOWHERE;
  private int likes;
  private int alike = NOWHERE;
  private int first = NOWHERE;
  private boolean hasValue;
  private int older = NOWHERE;

  // Of the second time.
  private int seenAgain;
  private boolean isPastConnections;
  private int afterConnections;
  private int nextLater;
  private boolean isFirstValue;
  private boolean isUnlike;
  private int written;

  /**
   * @param mark where the log ends, or null if it has no event of the channel
   * @param before where the channel was before the first event that is shown
   * @param aliveNanos when the other recorder was last alive, nanoseconds since 1970 UTC
   * @param clocksNanos so far the clocks of the two may differ; equal values of equal stamps need
   *     it
   */
  Position(@Nullable Mark mark, StampOrder before, long aliveNanos, long clocksNanos) {
    this.aliveNanos = aliveNanos;
    this.clocksNanos = clocksNanos;
    order = mark == null ? new StampOrder() : mark.order();
    later = mark == null ? List.of() : mark.later();
    hasBefore = before.hasValue();
    if (hasBefore) {
      look(
          BEFORE,
          new Seen(
              EventKind.VALUE,
              true,
              false,
              before.isExact(),
              before.number(),
              before.stamp(),
              before.hash(),
              before.receivedNanos(),
              before.connectedNanos()));
    }
    connections = before.connections();
  }

  /** Looks at the next event for the first time. */
  void look(Seen seen) {
    look(events, seen);
    events++;
  }

  private void look(int at, Seen seen) {
    if (!seen.isCounted()) {
      return;
    }
    boolean isFirst = !hasValue;
    hasValue = true;
    if (!order.hasValue()) {
      return;
    }
    boolean isNear = Math.abs(seen.receivedNanos() - order.receivedNanos()) <= clocksNanos;
    if (seen.stamp() != order.stamp()) {
      boolean isEarlier =
          Long.compareUnsigned(seen.stamp(), order.stamp()) < 0
              && seen.receivedNanos() <= order.receivedNanos();
      older = isEarlier ? at : older;
      return;
    }
    // What was posted before this connection, while the other recorder lived, that one has.
    boolean isOverlap = seen.connectedNanos() <= aliveNanos - clocksNanos;
    boolean areExact = order.isExact() && seen.isExact();
    boolean isAlike = seen.hash() == order.hash();
    if (areExact && isAlike && seen.number() == order.number() && (isOverlap || isNear)) {
      // Of several the earliest, but one received at about the same time.
      if (exact == NOWHERE || isNear && !isExactNear) {
        exact = at;
        isExactNear = isNear;
      }
    }
    if (!isOverlap) {
      return;
    }
    hasMore |= areExact && seen.number() > order.number();
    boolean isNoLater = seen.receivedNanos() <= order.receivedNanos();
    fewer = areExact && isNoLater && seen.number() < order.number() ? at : fewer;
    if (isAlike && seen.isExact()) {
      only = at;
      likes++;
    }
    alike = alike == NOWHERE && isNear && isAlike ? at : alike;
    first = isFirst && isAlike ? at : first;
  }

  /** Returns the position of the last value that the stamps have. */
  private int last() {
    if (exact != NOWHERE) {
      return exact;
    }
    if (fewer != NOWHERE && !hasMore) {
      return fewer;
    }
    if (likes == 1) {
      return only;
    }
    if (alike != NOWHERE) {
      return alike;
    }
    return first != NOWHERE ? first : older;
  }

  /** Returns whether one of the events is for certain the last value that the stamps have. */
  boolean isExact() {
    return exact != NOWHERE;
  }

  /** Looks at the next event once more, after {@link #look} has seen all. */
  void lookAgain(Seen seen) {
    int at = seenAgain++;
    int last = order.hasValue() ? last() : BEFORE;
    if (at == 0) {
      afterConnections = Math.max(0, last + 1);
      written = afterConnections;
      connections = last == BEFORE ? connections : 0;
      isPastConnections = last == NOWHERE;
      // Without a value that both have, nothing says which of these are the same.
      nextLater = last == NOWHERE || !order.hasValue() ? later.size() : 0;
    }
    if (at < afterConnections) {
      return;
    }
    if (!isPastConnections && isOfStamps(seen)) {
      afterConnections = at + 1;
      written = at + 1;
      return;
    }
    isPastConnections = true;
    walk(at, seen);
  }

  /** Returns whether the stamps count a connection or a repeated value after the last value. */
  private boolean isOfStamps(Seen seen) {
    if (seen.isConnection()) {
      connections++;
      return connections <= order.connections();
    }
    boolean isWritten = connections < order.connections() || order.kind() == EventKind.VALUE;
    return !seen.isCounted() && isWritten;
  }

  /** Compares an event with what the log has after its stamps. */
  private void walk(int at, Seen seen) {
    while (nextLater < later.size()) {
      Mark.Later each = later.get(nextLater);
      boolean isValue = each.kind() == EventKind.VALUE;
      if (isValue && !isFirstValue) {
        if (!seen.isConnection()) {
          isUnlike = seen.hash() != each.hash();
          nextLater++;
          written = at + 1;
        }
        return;
      }
      nextLater++;
      if (!isValue && isLike(each.kind(), seen)) {
        written = at + 1;
        return;
      }
      // The other recorder connected, and got its first value; this one was connected.
      isFirstValue = each.kind() == EventKind.CONNECTED;
    }
  }

  private static boolean isLike(EventKind kind, Seen seen) {
    return seen.kind() == kind || seen.isEmpty() && kind == EventKind.CONNECTED;
  }

  /**
   * Returns the number of events at the begin that are written already; -1 if even the one before
   * them is not.
   */
  int written() {
    if (hasBefore && (!order.hasValue() || last() == NOWHERE)) {
      return BEFORE;
    }
    boolean isShort = hasValue(later.subList(nextLater, later.size()));
    return isUnlike || isShort ? Math.min(afterConnections, written) : written;
  }

  private static boolean hasValue(List<Mark.Later> events) {
    return events.stream().anyMatch(each -> each.kind() == EventKind.VALUE);
  }
}
