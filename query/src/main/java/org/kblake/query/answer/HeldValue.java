package org.kblake.query.answer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * The value that a channel held at an instant: its last value event in log order up to the instant,
 * without strays.
 */
public final class HeldValue {

  /** The connection of a channel. */
  public enum Connection {
    CONNECTED,
    DISCONNECTED,
    /** No event is known. */
    UNKNOWN
  }

  private final Channel channel;
  private final @Nullable EventColumns row;
  private final @Nullable EventState lastState;

  /**
   * @param row the value event, alone; null if there is none
   * @param lastState the state of the last event of any kind; null if there is none
   */
  public HeldValue(Channel channel, @Nullable EventColumns row, @Nullable EventState lastState) {
    this.channel = channel;
    this.row = row;
    this.lastState = lastState;
  }

  /** Returns the channel. */
  public Channel channel() {
    return channel;
  }

  /** Returns whether there is a value. */
  public boolean isKnown() {
    return row != null;
  }

  /**
   * Returns the begin of the value: the time of the event that set it, nanoseconds since 1970 UTC.
   *
   * @throws IllegalStateException if there is no value, as all methods about it do
   */
  public long sinceNanos() {
    return row().timeNanos[0];
  }

  /** Returns the severity of the event that set the value, 0 to 3. */
  public int severity() {
    return row().severity[0];
  }

  /** Returns the EPICS {@code menuAlarmStat} of the event that set the value. */
  public int status() {
    return Short.toUnsignedInt(row().status[0]);
  }

  /** Returns the type of the value, or of its elements. */
  public ValueType type() {
    return row().type();
  }

  /** Returns whether the value is a list. */
  public boolean waveform() {
    return row().waveform();
  }

  /**
   * Returns the value: {@link String}; {@link Integer} for short, enum, char and long; {@link
   * Float}; {@link Double}; or a {@link List} of these.
   */
  public Object value() {
    return row().value(0);
  }

  /**
   * Returns the number. A double represents the numbers of each type exactly.
   *
   * @throws IllegalStateException if no value is known, or it is a string or a list
   */
  public double asDouble() {
    return row().asDouble(0);
  }

  /**
   * Returns the integer: a short, enum, char or long.
   *
   * @throws IllegalStateException if no value is known, or it is not an integer
   */
  public long asLong() {
    return row().asLong(0);
  }

  /** Returns the value as text, as {@link EventColumns#asText} does. */
  public String asText() {
    return row().asText(0);
  }

  /**
   * Returns the numbers: the elements of a list, or a scalar alone.
   *
   * @throws IllegalStateException if no value is known, or its elements are strings
   */
  public double[] asDoubles() {
    return row().asDoubles(0);
  }

  /** Returns the connection of the channel. */
  public Connection connection() {
    EventState last = lastState;
    if (last == null) {
      return Connection.UNKNOWN;
    }
    return last == EventState.DISCONNECTED ? Connection.DISCONNECTED : Connection.CONNECTED;
  }

  /**
   * Returns the event that set the value: one row. Not to be changed.
   *
   * @throws IllegalStateException if no value is known
   */
  public EventColumns row() {
    EventColumns known = row;
    if (known == null) {
      throw new IllegalStateException("no value is known: channel=" + channel);
    }
    return known;
  }

  @Override
  public String toString() {
    return row == null
        ? channel + " unknown"
        : channel + " " + value() + " since " + EpochNanos.instant(sinceNanos());
  }
}
