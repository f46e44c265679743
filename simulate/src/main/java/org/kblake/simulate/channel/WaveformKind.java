package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.ScanIntervals;

/**
 * An array of readings, such as losses around the ring or the currents of all bunches.
 *
 * @param pedestal the counts of every element without beam
 * @param swing the increase of an element, in counts, when the quantity changes from 0 to 1
 * @param sigma the noise of an element in counts
 * @param spacing 1 if all elements depend on the beam; n if only every n-th does, except the last
 *     tenth, as for the buckets of a ring
 * @param calibration the value of a count; elements of integer types are counts
 */
public record WaveformKind(
    String label,
    ValueType type,
    int elementCount,
    ScanIntervals intervals,
    MachineQuantity quantity,
    int pedestal,
    double swing,
    double sigma,
    int spacing,
    double calibration)
    implements SignalKind {

  @Override
  public double eventsPerSecond() {
    return 1 / intervals.meanSeconds();
  }

  @Override
  public Signal create(int ordinal, long seed) {
    return new Waveform(this, ordinal, seed);
  }
}
