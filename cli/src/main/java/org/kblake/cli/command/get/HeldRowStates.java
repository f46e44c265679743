package org.kblake.cli.command.get;

import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.UInt1Vector;
import org.kblake.core.model.EventState;
import org.kblake.query.EventReader;
import org.kblake.query.answer.HeldValue;
import org.kblake.query.answer.HeldValue.Connection;
import org.kblake.query.arrow.EventSchema;

/**
 * The states of rows of held values. Such a row is the event that set the value. Its state is that
 * of the channel at the instant, which may be disconnected.
 */
final class HeldRowStates {

  private final List<HeldValue> held;
  private final UInt1Vector states;
  private int next;

  HeldRowStates(EventReader reader) {
    held = reader.held();
    states = states(reader);
  }

  private static UInt1Vector states(EventReader reader) {
    for (FieldVector vector : reader.vectors()) {
      if (vector.getName().equals(EventSchema.STATE)) {
        return (UInt1Vector) vector;
      }
    }
    throw new IllegalStateException("no column " + EventSchema.STATE);
  }

  /** Returns the state of a channel that holds a value. */
  static EventState of(HeldValue value) {
    return value.connection() == Connection.DISCONNECTED
        ? EventState.DISCONNECTED
        : EventState.VALUE;
  }

  /** Sets the states of the held values in the reader's present batch. */
  void set() {
    int rows = states.getValueCount();
    for (int row = 0; row < rows && next < held.size(); row++) {
      states.set(row, of(held.get(next++)).code());
    }
  }
}
