package org.kblake.query.internal.held;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.plan.ChannelTarget;

/** The result of a backward search for one channel so far. The first result stays. */
final class HeldSearchState {

  private @Nullable EventColumns value;
  private long orderKey = Long.MIN_VALUE;
  private boolean valueSettled;

  private @Nullable EventState state;
  private long stateOrderKey = Long.MIN_VALUE;
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
   */
  void event(@Nullable EventState found, long atOrderKey) {
    if (!eventSettled) {
      eventSettled = true;
      state = found;
      stateOrderKey = atOrderKey;
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

  /** Returns the key in log order of the segment of the value event. */
  long orderKey() {
    return orderKey;
  }

  /** Returns the key in log order of the segment of the last event of any kind. */
  long stateOrderKey() {
    return stateOrderKey;
  }

  HeldValue of(ChannelTarget channel) {
    return new HeldValue(channel.channel(), value, state);
  }
}
