package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Intervals;
import org.kblake.simulate.machine.MachineQuantity;

/**
 * A vacuum gauge: pressure over many decades, of which its controller shows three digits.
 *
 * @param quantity the gas that the beam's light sets free
 * @param basePascals pressure without beam, of a typical gauge
 * @param beamPascals what the stored beam adds
 * @param noise as a fraction of the pressure
 */
public record GaugeKind(
    String label,
    ValueType type,
    Intervals intervals,
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
