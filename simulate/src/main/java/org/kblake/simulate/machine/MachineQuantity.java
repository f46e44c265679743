package org.kblake.simulate.machine;

/** What of the machine a channel follows; each is near 0 to 1. */
public enum MachineQuantity {
  /** Nothing: always 0. */
  STEADY,
  /** Stored current of the low energy ring, as a fraction of its target. */
  LER,
  /** Stored current of the high energy ring. */
  HER,
  /** Gas that the low energy ring's light sets free: follows its current within a minute. */
  LER_GAS,
  /** The same for the high energy ring. */
  HER_GAS,
  /** What the low energy ring's current warms: follows it within a quarter of an hour. */
  LER_HEAT,
  /** The same for the high energy ring. */
  HER_HEAT,
  /** The warmth of the day, 1 at two in the afternoon. */
  DAY
}
