package org.kblake.record.source;

import java.lang.invoke.VarHandle;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from one writer, which never waits, to one reader.
 *
 * <p>While the ring is full, the writer keeps the latest event of each channel. An event that
 * another one replaces is lost. Where even the latest events would take more bytes than the ring
 * has, an event is lost too. The next event of the channel states the number ({@link
 * ChannelEvent#lostBefore}), so the counts are exact.
 */
public final class EventQueue {

  private final EventRing ring;

  /** The latest events of channels while the ring is full, in the order of their first one. */
  private final Map<Integer, ChannelEvent> latest = new LinkedHashMap<>();

  /** Losses that no event states yet, of channels without an event in {@link #latest}. */
  private final Map<Integer, Integer> unstated = new HashMap<>();

  private long latestBytes;
  private volatile long lost;
  private volatile @Nullable Thread waiting;

  public EventQueue(EventRing ring) {
    this.ring = ring;
  }

  /** Returns the number of events lost since the begin. */
  public long lost() {
    return lost;
  }

  /** Returns the ring. */
  public EventRing ring() {
    return ring;
  }

  /** Appends a copy of an event. Only the writer calls it. It never waits. */
  public void put(ChannelEvent event) {
    int before = unstated.isEmpty() ? 0 : unstated.getOrDefault(event.channel(), 0);
    event.addLost(before);
    if (!flush() || !ring.offer(event)) {
      keep(event);
    } else if (before > 0) {
      unstated.remove(event.channel());
    }
  }

  private void keep(ChannelEvent event) {
    ChannelEvent replaced = latest.get(event.channel());
    if (replaced != null) {
      latestBytes -= bytes(replaced);
      event.addLost(replaced.lostBefore());
      lose(event);
    }
    if (latestBytes + bytes(event) <= ring.capacity()) {
      latest.put(event.channel(), event.copy());
      latestBytes += bytes(event);
      unstated.remove(event.channel());
    } else {
      lose(event);
      latest.remove(event.channel());
      unstated.put(event.channel(), event.lostBefore());
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  private void lose(ChannelEvent next) {
    next.addLost(1);
    lost++;
  }

  private static int bytes(ChannelEvent event) {
    return EventRing.HEADER + event.length();
  }

  /**
   * Appends a copy of an event if there is room for it now. Only the writer calls it.
   *
   * @return false if the event was not taken; it does not count as lost
   */
  public boolean offer(ChannelEvent event) {
    return flush() && ring.offer(event);
  }

  /**
   * Moves kept events into the ring. Only the writer calls it, now and then.
   *
   * @return whether no event is kept any more
   */
  public boolean flush() {
    if (latest.isEmpty()) {
      return true;
    }
    Iterator<ChannelEvent> each = latest.values().iterator();
    while (each.hasNext()) {
      ChannelEvent next = each.next();
      if (!ring.offer(next)) {
        return false;
      }
      latestBytes -= bytes(next);
      each.remove();
    }
    return true;
  }

  /** Wakes the reader if it waits. Only the writer calls it, after it put events. */
  public void signal() {
    // The reader says that it waits before it looks once more. So one of the two sees the other.
    VarHandle.fullFence();
    Thread reader = waiting;
    if (reader != null) {
      waiting = null;
      LockSupport.unpark(reader);
    }
  }

  /**
   * Hands the oldest events to a handler. Only the reader calls it.
   *
   * @param limit the largest number of events
   * @return the number of events
   */
  public int poll(EventHandler handler, int limit) {
    return ring.poll(handler, limit);
  }

  /** Waits until there is an event, the time is over or the thread is interrupted. */
  public void await(long nanos) {
    if (ring.used() == 0) {
      waiting = Thread.currentThread();
      if (ring.used() == 0) {
        LockSupport.parkNanos(this, nanos);
      }
      waiting = null;
    }
  }
}
