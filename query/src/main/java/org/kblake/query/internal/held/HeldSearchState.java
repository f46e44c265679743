package org.kblake.query.internal.held;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.internal.plan.ChannelTarget;

/** What a search backwards has found out of a channel so far. What was found first stays. */
final class HeldSearchState {

  private @Nullable EventColumns value;
  private long orderKey = Long.MIN_VALUE;
  private boolean valueSettled;

  private @Nullable EventState state;
  private boolean eventSettled;

  /**
   * The last value event was found.
   *
   * @param row the event, alone; null if it is too old to count
   * @param atOrderKey of its segment in log order
   */
  void value(@Nullable EventColumns row, long atOrderKey) {
    if (!valueSettled) {
      valueSettled = true;
      value = row;
      orderKey = atOrderKey;
    }
  }

  /** The last event was found; null if it is too old to count. */
  void event(@Nullable EventState says) {
    if (!eventSettled) {
      eventSettled = true;
      state = says;
    }
  }

  boolean isValueSettled() {
    return valueSettled;
  }

  boolean isEventSettled() {
    return eventSettled;
  }

  /** Whether nothing is left to be searched. */
  boolean isSettled() {
    return valueSettled && eventSettled;
  }

  /** Where the segment of the value event stands in log order. */
  long orderKey() {
    return orderKey;
  }

  HeldValue of(ChannelTarget channel) {
    return new HeldValue(channel.channel(), value, state);
  }
}
