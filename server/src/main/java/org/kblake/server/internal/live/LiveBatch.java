package org.kblake.server.internal.live;

import java.util.LinkedHashMap;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.query.EventFollower;

/**
 * Adjacent events that are sent together, so that interleaved events of many channels do not become
 * a message each. Events of a channel keep their order.
 */
final class LiveBatch {

  private static final int MAX_ROWS = 1000;
  private static final int MAX_ELEMENTS = 100_000;

  private final Map<Integer, EventColumns> byChannel = new LinkedHashMap<>();
  private int rows;
  private long elements;

  /** Returns the events by the number of their channel in the follower. */
  Map<Integer, EventColumns> byChannel() {
    return byChannel;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  boolean isFull() {
    return rows >= MAX_ROWS || elements >= MAX_ELEMENTS;
  }

  /** Returns whether the follower's present run has the type of this batch's events. */
  boolean takes(EventFollower follower) {
    EventColumns present = byChannel.get(follower.channel());
    EventColumns columns = follower.columns();
    return present == null
        || (present.type() == columns.type() && present.waveform() == columns.waveform());
  }

  /** Adds the first of the rows [from, to) of the follower's run, and returns the next row. */
  int add(EventFollower follower, int from) {
    EventColumns columns = follower.columns();
    EventColumns into =
        byChannel.computeIfAbsent(
            follower.channel(), any -> new EventColumns(columns.type(), columns.waveform(), 1));
    int to = from;
    do {
      elements += columns.waveform() ? columns.listStarts[to + 1] - columns.listStarts[to] : 1;
      to++;
      rows++;
    } while (to < follower.to() && !isFull());
    into.append(columns, from, to);
    return to;
  }

  void clear() {
    byChannel.clear();
    rows = 0;
    elements = 0;
  }
}
