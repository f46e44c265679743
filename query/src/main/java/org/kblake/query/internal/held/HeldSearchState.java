package org.kblake.query.internal.held;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/** The result of a backward search for one channel so far. The first result stays. */
final class HeldSearchState {

  private @Nullable EventColumns value;
  private long orderKey = Long.MIN_VALUE;
  private boolean valueSettled;

  private @Nullable EventState state;
  private long stateOrderKey = Long.MIN_VALUE;
  private long stateNanos = Long.MIN_VALUE;
  private boolean eventSettled;

  /**
   * Sets the last value event.
   *
   * @param row a row with the event; null if it is too old to count
   * @param atOrderKey the key of its segment in log order
   */
  void value(@Nullable EventColumns row, long atOrderKey) {
    if (!valueSettled) {
      valueSettled = true;
      value = row;
      orderKey = atOrderKey;
    }
  }

  /**
   * Sets the state of the last event.
   *
   * @param found null if the event is too old to count
   * @param atOrderKey the key of its segment in log order
   * @param nanos the time of the event, nanoseconds since 1970 UTC
   */
  void event(@Nullable EventState found, long atOrderKey, long nanos) {
    if (!eventSettled) {
      eventSettled = true;
      state = found;
      stateOrderKey = atOrderKey;
      stateNanos = nanos;
    }
  }

  boolean isValueSettled() {
    return valueSettled;
  }

  boolean isEventSettled() {
    return eventSettled;
  }

  /** Returns whether the search for this channel is complete. */
  boolean isSettled() {
    return valueSettled && eventSettled;
  }

  /** Returns the last value event; null if there is none. */
  @Nullable EventColumns value() {
    return value;
  }

  /** Returns the state of the last event; null if there is none. */
  @Nullable EventState state() {
    return state;
  }

  /** Returns the time of the last event, nanoseconds since 1970 UTC, if there is a state. */
  long stateNanos() {
    return stateNanos;
  }

  /** Returns the key in log order of the segment of the value event. */
  long orderKey() {
    return orderKey;
  }

  /** Returns the key in log order of the segment of the last event of any kind. */
  long stateOrderKey() {
    return stateOrderKey;
  }
}
