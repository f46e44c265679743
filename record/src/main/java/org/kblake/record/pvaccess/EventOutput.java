package org.kblake.record.pvaccess;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.kblake.core.model.ValueType;
import org.kblake.record.source.ChannelEvent;
import org.kblake.record.source.Conversions;
import org.kblake.record.source.EventQueue;

/** Where the channels of all servers put their events, and what is counted for them. */
final class EventOutput {

  private final EventQueue events;
  private final LongSupplier clock;
  private final Conversions conversions = new Conversions();
  private final Servers servers = new Servers();
  private final LongAdder values = new LongAdder();
  private final LongAdder dropped = new LongAdder();
  private final LongAdder droppedByServer = new LongAdder();
  private final AtomicInteger searching = new AtomicInteger();

  /**
   * Creates an output.
   *
   * @param clock the time in nanoseconds since 1970 UTC
   */
  EventOutput(EventQueue events, LongSupplier clock) {
    this.events = events;
    this.clock = clock;
  }

  Conversions conversions() {
    return conversions;
  }

  Servers servers() {
    return servers;
  }

  /** Counts values received. */
  LongAdder values() {
    return values;
  }

  /** Counts values that no log can hold. */
  LongAdder dropped() {
    return dropped;
  }

  /** Counts updates whose server says that it dropped others before. */
  LongAdder droppedByServer() {
    return droppedByServer;
  }

  /** Counts channels that no server has. */
  AtomicInteger searching() {
    return searching;
  }

  /** Returns the time in nanoseconds since 1970 UTC. */
  long now() {
    return clock.getAsLong();
  }

  /** Returns the largest number of bytes of a value. */
  long largestValue() {
    return events.ring().largestEvent() - ValueType.STRING.bytes() * 2L;
  }

  /** Puts an event of a channel. */
  void put(ChannelEvent event) {
    events.put(event);
    events.signal();
  }

  /** Puts an event of a channel if there is room. */
  boolean offer(ChannelEvent event) {
    boolean isTaken = events.offer(event);
    events.signal();
    return isTaken;
  }

  /** Drops a value: the next event of the channel states it. */
  void drop(int channel) {
    dropped.increment();
    events.lose(channel);
  }
}
