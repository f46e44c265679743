package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;

/** A kind of channel. docs/design/simulated-kinds.md has a table of all. */
public interface SignalKind {

  /** Returns the name of the kind in tables. */
  String label();

  ValueType type();

  /** Returns the number of elements of a waveform, or 1. */
  default int elementCount() {
    return 1;
  }

  /** Returns the mean number of events per second of a connected channel. */
  double eventsPerSecond();

  /**
   * @param ordinal the channel's index in its group's record table
   * @param seed the seed of everything in which channels of a kind differ
   */
  Signal create(int ordinal, long seed);

  /** Returns whether the channels are noisy readings that do not follow the machine. */
  default boolean isSteady() {
    return false;
  }
}
