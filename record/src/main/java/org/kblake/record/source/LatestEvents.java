package org.kblake.record.source;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Events that found no room, in the order of their reception: of each channel the last connection
 * or disconnection and the last value after it. For one thread at a time.
 *
 * <p>An event that another one replaces is lost, and so is a value where all would take more bytes
 * than permitted. The next event of the channel states the number.
 */
final class LatestEvents {

  private final int mostBytes;

  /** By twice the channel's number, and one more for values. */
  private Map<Long, ChannelEvent> events = new LinkedHashMap<>();

  /** Losses that no event states yet, by channel. */
  private final Map<Integer, Integer> unstated = new HashMap<>();

  private long bytes;
  private volatile long lost;

  LatestEvents(int mostBytes) {
    this.mostBytes = mostBytes;
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  /** Returns the number of events that were lost here. */
  long lost() {
    return lost;
  }

  /** Notes a loss that the next event of a channel states. */
  void lose(int channel) {
    unstated.merge(channel, 1, Integer::sum);
  }

  /** Lets an event state what was lost before it. */
  void state(ChannelEvent event) {
    if (!unstated.isEmpty()) {
      Integer before = unstated.remove(event.channel());
      event.addLost(before == null ? 0 : before);
    }
  }

  /** Keeps a copy of an event that states what was lost before it. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  void keep(ChannelEvent event) {
    boolean isConnection = event.kind().isConnection();
    long slot = 2L * event.channel();
    replace(slot + 1, event);
    if (isConnection) {
      replace(slot, event);
    }
    if (isConnection || bytes + bytes(event) <= mostBytes) {
      events.put(isConnection ? slot : slot + 1, event.copy());
      bytes += bytes(event);
    } else {
      lost++;
      unstated.put(event.channel(), event.lostBefore() + 1);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread at a time
  private void replace(long slot, ChannelEvent next) {
    ChannelEvent replaced = events.remove(slot);
    if (replaced != null) {
      bytes -= bytes(replaced);
      next.addLost(replaced.lostBefore() + 1);
      lost++;
    }
  }

  private static int bytes(ChannelEvent event) {
    return EventRing.HEADER + event.length();
  }

  /** Moves the oldest events into a ring, as far as it has room. */
  void moveTo(EventRing ring) {
    Iterator<ChannelEvent> each = events.values().iterator();
    while (each.hasNext()) {
      ChannelEvent next = each.next();
      if (!ring.offer(next)) {
        return;
      }
      bytes -= bytes(next);
      each.remove();
    }
  }

  /** Returns all events, which stay. */
  Collection<ChannelEvent> all() {
    return events.values();
  }

  /** Returns all events, and forgets them. */
  Collection<ChannelEvent> takeAll() {
    Collection<ChannelEvent> all = events.values();
    events = new LinkedHashMap<>();
    bytes = 0;
    return all;
  }
}
