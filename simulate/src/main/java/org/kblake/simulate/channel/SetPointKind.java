package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Gaussian;
import org.kblake.simulate.machine.SplitMix;

/**
 * A value that operators and feedback loops set, in decimal steps.
 *
 * @param meanSeconds the mean time between changes
 * @param span values are between about minus and plus this number
 * @param step the standard deviation of a change
 * @param perUnit the number of displayed steps per unit: 1,000 for three decimals
 */
public record SetPointKind(
    String label, ValueType type, double meanSeconds, double span, double step, int perUnit)
    implements SignalKind {

  @Override
  public double eventsPerSecond() {
    return 1 / meanSeconds;
  }

  @Override
  public Signal create(int ordinal, long seed) {
    SplitMix own = new SplitMix(SplitMix.derive(seed, "set point"));
    double first = span * own.between(-1, 1);
    return new Switching(ordinal, seed) {

      private long shown = StrictMath.round(first * perUnit);

      @Override
      void change() {
        double wanted = (double) shown / perUnit + step * Gaussian.of(next());
        if (Math.abs(wanted) > span) {
          wanted *= 0.9;
        }
        shown = StrictMath.round(wanted * perUnit);
      }

      @Override
      long bits() {
        return encode(type, (double) shown / perUnit);
      }

      @Override
      double meanSeconds() {
        return meanSeconds;
      }
    };
  }
}
