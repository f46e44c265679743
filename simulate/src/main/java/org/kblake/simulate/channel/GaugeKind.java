package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.ScanIntervals;

/**
 * A vacuum gauge. Its pressure ranges over many decades, with three significant digits.
 *
 * @param quantity the gas that synchrotron light of the beam desorbs
 * @param basePascals the pressure of a typical gauge without beam
 * @param beamPascals the additional pressure with the stored beam
 * @param noise the noise as a fraction of the pressure
 */
public record GaugeKind(
    String label,
    ValueType type,
    ScanIntervals intervals,
    MachineQuantity quantity,
    double basePascals,
    double beamPascals,
    double noise)
    implements SignalKind {

  @Override
  public double eventsPerSecond() {
    return 1 / intervals.meanSeconds();
  }

  @Override
  public Signal create(int ordinal, long seed) {
    return new Gauge(this, ordinal, seed);
  }
}
