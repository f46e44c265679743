package org.kblake.record.channelaccess;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The channels that are searched, in the order in which the next search is due. After each search
 * without an answer the time to the next one doubles.
 */
final class SearchQueue {

  private static final long FIRST_DELAY_NANOS = 250_000_000;
  private static final int SLOW = 5;

  private record Entry(ClientChannel channel, int ticket, long dueNanos) {
    private boolean isValid() {
      return channel.stage() == ClientChannel.Stage.SEARCHED && channel.ticket() == ticket;
    }
  }

  /** The first has new channels, the others those with the same delay, so each is in order. */
  private final List<Deque<Entry>> delays = new ArrayList<>();

  private final long longestNanos;

  /**
   * Creates an empty queue.
   *
   * @param longestNanos the longest time between two searches for a channel in nanoseconds
   */
  SearchQueue(long longestNanos) {
    this.longestNanos = longestNanos;
    delays.add(new ArrayDeque<>());
    for (int i = 1; i == 1 || delay(i - 1) < longestNanos; i++) {
      delays.add(new ArrayDeque<>());
    }
  }

  private long delay(int searches) {
    return searches == 0 ? 0 : Math.min(longestNanos, FIRST_DELAY_NANOS << (searches - 1));
  }

  /** Adds a channel that is searched as often as it says without an answer. */
  void add(ClientChannel channel, long nowNanos) {
    int searches = Math.min(channel.searches(), delays.size() - 1);
    delays.get(searches).add(new Entry(channel, channel.nextTicket(), nowNanos + delay(searches)));
  }

  /** Returns the channel whose search is due for the longest time, or null. It stays. */
  @Nullable ClientChannel peek(long nowNanos) {
    Deque<Entry> first = first();
    Entry entry = first == null ? null : first.peek();
    return entry == null || entry.dueNanos() - nowNanos > 0 ? null : entry.channel();
  }

  /** Removes the channel that {@link #peek} returned, and plans its next search. */
  void searched(long nowNanos) {
    Deque<Entry> first = first();
    if (first != null) {
      ClientChannel channel = first.remove().channel();
      channel.setSearches(Math.min(channel.searches() + 1, delays.size() - 1));
      add(channel, nowNanos);
    }
  }

  /** Plans the search of a channel anew that was not sent after all. */
  void notSent(ClientChannel channel, long nowNanos) {
    channel.setSearches(channel.searches() - 1);
    add(channel, nowNanos);
  }

  /** Returns when the next search is due, or {@link Long#MAX_VALUE}. */
  long dueNanos() {
    Deque<Entry> first = first();
    Entry entry = first == null ? null : first.peek();
    return entry == null ? Long.MAX_VALUE : entry.dueNanos();
  }

  private @Nullable Deque<Entry> first() {
    Deque<Entry> first = null;
    long due = 0;
    for (Deque<Entry> each : delays) {
      Entry entry = each.peek();
      while (entry != null && !entry.isValid()) {
        each.remove();
        entry = each.peek();
      }
      if (entry != null && (first == null || entry.dueNanos() - due < 0)) {
        first = each;
        due = entry.dueNanos();
      }
    }
    return first;
  }

  /** Lets the channels be searched soon that have been searched in vain for long. */
  void bringForward(long nowNanos) {
    for (int i = SLOW + 1; i < delays.size(); i++) {
      Deque<Entry> slow = delays.get(i);
      for (Entry each : slow) {
        if (each.isValid()) {
          each.channel().setSearches(0);
          add(each.channel(), nowNanos);
        }
      }
      slow.clear();
    }
  }
}
