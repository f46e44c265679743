package org.kblake.simulate.channel;

import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Gaussian;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.ScanIntervals;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * A channel of a {@link ReadingKind} whose value is calculated from several readings, such as a
 * beam position or a lifetime. Nearly all its values are distinct, with random low bits of the
 * mantissa.
 */
final class Calculation extends Signal {

  private static final int INTERVAL_SHIFT = 33;
  private static final long JITTER_MASK = (1L << JITTER_BITS) - 1;

  private final ValueType type;
  private final long[] intervals;
  private final MachineQuantity quantity;
  private final double zero;
  private final double swing;
  private final double sigma;

  Calculation(ReadingKind kind, int ordinal, long seed) {
    super(ordinal, seed);
    SplitMix own = new SplitMix(SplitMix.derive(seed, "calculation"));
    type = kind.type();
    intervals = kind.intervals().nanos();
    quantity = kind.quantity();
    double count = kind.range() / (1L << kind.adcBits());
    boolean fromZero = kind.origin() == ReadingKind.Origin.ZERO;
    zero = fromZero ? 0 : kind.range() * own.between(-0.5, 0.5);
    swing = kind.swing() * count;
    sigma = kind.sigma() * count * own.between(0.6, 1.4);
  }

  @Override
  public void run(Step step, Machine machine, long untilNanos) {
    double[] levels = machine.levels(quantity);
    long due = nextNanos();
    while (due < untilNanos) {
      long random = next();
      double level = levels[(int) ((due - machine.stepNanos()) / Machine.SECOND_NANOS)];
      double fine = SplitMix.unit(next()) - 0.5;
      double value = zero + swing * level + sigma * (Gaussian.of(random) + fine);
      long time = due + (random >>> 12 & JITTER_MASK);
      step.add(ordinal(), time, arrivalNanos(time, random), PackedStatus.GOOD, encode(type, value));
      due += intervals[(int) (random >>> INTERVAL_SHIFT) & (ScanIntervals.COUNT - 1)];
    }
    nextNanos(due);
  }
}
