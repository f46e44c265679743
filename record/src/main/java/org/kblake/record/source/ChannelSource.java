package org.kblake.record.source;

import java.util.List;

/**
 * A source of events of live channels. Events are received from the creation on and wait in a ring.
 * One thread at a time polls; the other methods may be called by any thread.
 */
public interface ChannelSource extends AutoCloseable {

  /**
   * Connects a channel, now or whenever its server appears, and again after each disconnection. Its
   * first event is that of its first connection, or of a refusal.
   *
   * @param name the name of the record or of a field
   * @return the channel's number in events, which no other channel of the source gets
   * @throws IllegalArgumentException if no server can have a channel of this name
   */
  int open(String name);

  /**
   * Disconnects a channel, once or again. Events that are in the ring are still handed out.
   *
   * @throws IllegalArgumentException if the source gave no channel this number
   */
  void close(int channel);

  /**
   * Returns the name of a channel that was opened, also of one that was closed since.
   *
   * @throws IllegalArgumentException if the source gave no channel this number
   */
  String name(int channel);

  /**
   * Hands the oldest events to a handler, without waiting.
   *
   * @param limit the largest number of events
   * @return the number of events, fewer than the limit if there were no more
   * @throws IllegalStateException if there are none, and the source can receive no more because of
   *     a fault in it
   */
  int poll(EventHandler handler, int limit);

  /**
   * Waits until there are events, the time is over or the thread is interrupted.
   *
   * @param nanos the longest time in nanoseconds
   */
  void await(long nanos);

  /** Returns what was counted since the creation. */
  SourceCounts counts();

  /** Returns how many values are recorded otherwise than they were sent. */
  default ConversionCounts conversions() {
    return ConversionCounts.NONE;
  }

  /**
   * Returns what was counted since the last call on the connections to servers that are open, and
   * on those that ended since then. So the sums of one caller are exact.
   */
  List<CircuitCounts> circuits();

  /** Closes all connections and ends the threads. Events in the ring can still be polled. */
  @Override
  void close();
}
