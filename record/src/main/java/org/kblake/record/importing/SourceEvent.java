package org.kblake.record.importing;

import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * An event of another archive. Only an event with the state {@link EventState#VALUE} has a value.
 *
 * @param channel the channel's place in {@link ImportSource#channels}
 * @param orderNanos the place in the order of the source, nanoseconds since 1970 UTC: the event's
 *     time, or that of the latest event before it if this is later
 * @param nanos the event's time, nanoseconds since 1970 UTC, which a log can represent
 * @param severity 0 to 3
 * @param status the alarm status, 0 to 65,535
 * @param type the type of the elements
 * @param value the elements as a log in big-endian order has them; not copied
 */
public record SourceEvent(
    int channel,
    long orderNanos,
    long nanos,
    EventState state,
    int severity,
    int status,
    ValueType type,
    byte[] value) {

  private static final byte[] NONE = {};
  private static final int INVALID = 3;
  private static final int COMM = 9;

  /** Returns the event of a connection that was lost or made. */
  public static SourceEvent connection(
      int channel, long nanos, boolean isConnected, ValueType type) {
    EventState state = isConnected ? EventState.CONNECTED : EventState.DISCONNECTED;
    int severity = isConnected ? 0 : INVALID;
    return new SourceEvent(
        channel, nanos, nanos, state, severity, isConnected ? 0 : COMM, type, NONE);
  }

  /** Returns this event at another place of the order. */
  public SourceEvent at(long otherOrderNanos) {
    return new SourceEvent(channel, otherOrderNanos, nanos, state, severity, status, type, value);
  }

  /** Returns the number of elements. */
  public int elements() {
    return value.length / type.bytes();
  }
}
