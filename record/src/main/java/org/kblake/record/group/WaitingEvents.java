package org.kblake.record.group;

import org.jspecify.annotations.Nullable;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.EventHandler;
import org.kblake.record.source.EventQueue;
import org.kblake.record.source.EventRing;

/**
 * Events that wait for a log, in order. The memory grows with them, up to a budget. Then the latest
 * event of a channel replaces earlier ones, and states how many. For one thread.
 */
final class WaitingEvents {

  private static final int FIRST_BYTES = 1 << 16;
  private static final int MOST_BYTES = 1 << 30;
  private static final int BATCH = 1000;

  private final WaitingBudget budget;
  private @Nullable EventQueue queue;
  private int bytes;

  /** Events put into the queue, those included that were lost before they came here. */
  private long put;

  WaitingEvents(WaitingBudget budget) {
    this.budget = budget;
  }

  /** Returns the number of events that wait, those included that were lost among them. */
  long size() {
    return put;
  }

  /** Appends a copy of an event. */
  void put(ChannelEvent event) {
    put += 1 + event.lostBefore();
    EventQueue present = queue;
    if (present == null) {
      present = begin(FIRST_BYTES);
    }
    while (present.lost() == 0 && !present.offer(event)) {
      EventQueue larger = larger(present);
      if (larger == null) {
        present.put(event);
        return;
      }
      present = larger;
    }
    if (present.lost() > 0) {
      present.put(event);
    }
  }

  private EventQueue begin(int size) {
    EventQueue begun = new EventQueue(new EventRing(size));
    queue = begun;
    bytes = size;
    return begun;
  }

  private @Nullable EventQueue larger(EventQueue present) {
    if (bytes == MOST_BYTES || !budget.take(bytes)) {
      return null;
    }
    EventQueue larger = begin(2 * bytes);
    pollAll(present, larger::put);
    return larger;
  }

  private static void pollAll(EventQueue from, EventHandler handler) {
    while (from.poll(handler, BATCH) > 0) {
      // Each event goes to the handler.
    }
  }

  /**
   * Hands out all events. The handler may put events again.
   *
   * @return the number of lost events that no event states, because their channels had none later
   */
  long drain(EventHandler handler) {
    EventQueue present = queue;
    if (present == null) {
      return 0;
    }
    long[] left = {put};
    budget.give(bytes - FIRST_BYTES);
    queue = null;
    put = 0;
    pollAll(
        present,
        event -> {
          left[0] -= 1 + event.lostBefore();
          handler.handle(event);
        });
    return left[0];
  }
}
