package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;

/** A sort of channel: what docs/simulate.md has a row for. */
public interface SignalKind {

  /** The name of the kind in tables. */
  String label();

  ValueType type();

  /** 1, or how many elements a waveform has. */
  default int elementCount() {
    return 1;
  }

  /** How many events a channel of this kind has on average while it is connected. */
  double eventsPerSecond();

  /**
   * @param ordinal the channel's place in its group's record table
   * @param seed decides everything that channels of a kind do not have in common
   */
  Signal create(int ordinal, long seed);
}
