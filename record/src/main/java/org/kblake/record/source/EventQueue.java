package org.kblake.record.source;

import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way from writers, which never wait for the reader, to one reader. Several sources
 * may write: they wait for each other for the time of a copy, each writer has its own event, and
 * the queue gives the numbers of their channels.
 *
 * <p>While the ring is full, the last connection event and the last value after it are kept of each
 * channel. An event that another one replaces is lost, and so is a value where all that is kept
 * would take more bytes than the ring has. The next event of the channel states the number ({@link
 * ChannelEvent#lostBefore}), so the counts are exact. Events leave in the order in which they were
 * put.
 */
public final class EventQueue {

  private final EventRing ring;

  /** What is newer than the ring. The lock of it is held for the time of a copy only. */
  private final LatestEvents latest;

  /** Whether {@link #latest} has events. Then nothing is put into the ring before them. */
  private volatile boolean isKeeping;

  /** Of the reader: events that are older than the ring. */
  private final Deque<ChannelEvent> taken = new ArrayDeque<>();

  private volatile @Nullable Thread waiting;

  private final AtomicInteger channels = new AtomicInteger();

  public EventQueue(EventRing ring) {
    this.ring = ring;
    latest = new LatestEvents(ring.capacity());
  }

  /** Returns the number of events lost since the begin, because there was no room. */
  public long lost() {
    return latest.lost();
  }

  /** Returns the ring. */
  public EventRing ring() {
    return ring;
  }

  /** Returns a number that no other channel has, from 0 on. */
  public int nextChannel() {
    return channels.getAndIncrement();
  }

  /** Appends a copy of an event. Only writers call it. */
  public synchronized void put(ChannelEvent event) {
    latest.state(event);
    if (!offer(event)) {
      synchronized (latest) {
        latest.keep(event);
        isKeeping = !latest.isEmpty();
      }
    }
  }

  /**
   * Lets the next event of a channel state one more loss, which {@link #lost} does not count. Only
   * writers call it.
   */
  public synchronized void lose(int channel) {
    latest.lose(channel);
  }

  /**
   * Appends a copy of an event if there is room for it now. Only writers call it.
   *
   * @return false if the event was not taken; it does not count as lost
   */
  public synchronized boolean offer(ChannelEvent event) {
    if (!isKeeping) {
      return ring.offer(event);
    }
    synchronized (latest) {
      latest.moveTo(ring);
      isKeeping = !latest.isEmpty();
      return !isKeeping && ring.offer(event);
    }
  }

  /** Wakes the reader if it waits. Called after events were put. */
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
   * Hands the oldest events to a handler. Only the reader calls it. If the handler fails, its event
   * counts as handled.
   *
   * @param limit the largest number of events
   * @return the number of events, fewer than the limit if there were no more
   */
  public int poll(EventHandler handler, int limit) {
    int events = pollTaken(handler, limit);
    events += ring.poll(handler, limit - events);
    if (events < limit && isKeeping) {
      take();
      events += pollTaken(handler, limit - events);
    }
    return events;
  }

  private int pollTaken(EventHandler handler, int limit) {
    int events = 0;
    while (events < limit && !taken.isEmpty()) {
      events++;
      handler.handle(taken.remove());
    }
    return events;
  }

  private void take() {
    Collection<ChannelEvent> all = List.of();
    synchronized (latest) {
      if (ring.used() == 0) {
        isKeeping = false;
        all = latest.takeAll();
      }
    }
    taken.addAll(all);
  }

  /** Waits until there is an event, the time is over or the thread is interrupted. */
  public void await(long nanos) {
    if (isEmpty()) {
      waiting = Thread.currentThread();
      if (isEmpty()) {
        LockSupport.parkNanos(this, nanos);
      }
      waiting = null;
    }
  }

  private boolean isEmpty() {
    return taken.isEmpty() && ring.used() == 0 && !isKeeping;
  }
}
