package org.kblake.simulate.machine;

/** The quantities of the machine that channels follow. Their levels are about 0 to 1. */
public enum MachineQuantity {
  /** A constant level of 0. */
  STEADY,
  /** Stored current of the low energy ring, as a fraction of its target. */
  LER,
  /** Stored current of the high energy ring. */
  HER,
  /**
   * Gas that synchrotron light desorbs in the low energy ring. It follows the current within a
   * minute.
   */
  LER_GAS,
  /** Gas that synchrotron light desorbs in the high energy ring. */
  HER_GAS,
  /**
   * The temperature of parts heated by the low energy ring's current. It follows the current within
   * a quarter of an hour.
   */
  LER_HEAT,
  /** The temperature of parts heated by the high energy ring's current. */
  HER_HEAT,
  /** The outside temperature, 1 at two in the afternoon. */
  DAY
}
