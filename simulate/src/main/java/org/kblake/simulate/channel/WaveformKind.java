package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Intervals;
import org.kblake.simulate.machine.MachineQuantity;

/**
 * Many readings at once: losses around the ring, the currents of all bunches.
 *
 * @param pedestal counts of every element without beam
 * @param swing counts that an element gains with the quantity from 0 to 1
 * @param sigma noise of an element, in counts
 * @param spacing only every n-th element sees the beam, and none of the last tenth: buckets of a
 *     ring
 * @param calibration what a count stands for; integer types hold the counts
 */
public record WaveformKind(
    String label,
    ValueType type,
    int elementCount,
    Intervals intervals,
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
