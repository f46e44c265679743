package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Gaussian;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.ScanIntervals;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/** A channel of a {@link GaugeKind}. */
final class Gauge extends Signal {

  private static final int INTERVAL_SHIFT = 33;
  private static final long JITTER_MASK = (1L << JITTER_BITS) - 1;
  private static final double WARNING_PASCALS = 1e-6;
  private static final double ALARM_PASCALS = 5e-6;
  private static final int MAX_EXPONENT = 12;

  /**
   * The powers 10^0 to 10^12. A double represents them exactly, so that a division rounds as
   * parsing a decimal number does.
   */
  private static final double[] POWERS = powers();

  private final ValueType type;
  private final long[] intervals;
  private final MachineQuantity quantity;
  private final double base;
  private final double beam;
  private final double noise;

  Gauge(GaugeKind kind, int ordinal, long seed) {
    super(ordinal, seed);
    SplitMix own = new SplitMix(SplitMix.derive(seed, "gauge"));
    type = kind.type();
    intervals = kind.intervals().nanos();
    quantity = kind.quantity();
    double place = StrictMath.exp(0.8 * own.gaussian());
    base = kind.basePascals() * place;
    beam = kind.beamPascals() * place * own.between(0.3, 2);
    noise = kind.noise() * own.between(0.5, 1.5);
  }

  @Override
  public void run(Step step, Machine machine, long untilNanos) {
    double[] levels = machine.levels(quantity);
    long due = nextNanos();
    while (due < untilNanos) {
      long random = next();
      double gas = levels[(int) ((due - machine.stepNanos()) / Machine.SECOND_NANOS)];
      double pascals = threeDigits((base + beam * gas) * (1 + noise * Gaussian.of(random)));
      long time = due + (random >>> 12 & JITTER_MASK);
      int packedStatus =
          pascals < WARNING_PASCALS
              ? PackedStatus.GOOD
              : pascals < ALARM_PASCALS ? PackedStatus.WARNING : PackedStatus.ALARM;
      step.add(ordinal(), time, arrivalNanos(time, random), packedStatus, encode(type, pascals));
      due += intervals[(int) (random >>> INTERVAL_SHIFT) & (ScanIntervals.COUNT - 1)];
    }
    nextNanos(due);
  }

  /** Rounds to three digits, as a controller that sends {@code 1.23E-08}. */
  static double threeDigits(double pascals) {
    int exponent = 0;
    while (exponent < MAX_EXPONENT && pascals * POWERS[exponent] < 99.95) {
      exponent++;
    }
    return (int) (pascals * POWERS[exponent] + 0.5) / POWERS[exponent];
  }

  private static double[] powers() {
    double[] powers = new double[MAX_EXPONENT + 1];
    powers[0] = 1;
    for (int i = 1; i < powers.length; i++) {
      powers[i] = powers[i - 1] * 10;
    }
    return powers;
  }
}
