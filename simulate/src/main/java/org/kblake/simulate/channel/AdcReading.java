package org.kblake.simulate.channel;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.machine.Gaussian;
import org.kblake.simulate.machine.Machine;
import org.kblake.simulate.machine.MachineQuantity;
import org.kblake.simulate.machine.PackedStatus;
import org.kblake.simulate.machine.ScanIntervals;
import org.kblake.simulate.machine.SplitMix;
import org.kblake.simulate.machine.Step;

/**
 * A channel of a {@link ReadingKind} with whole ADC counts. Most events belong to such channels.
 */
final class AdcReading extends Signal {

  private static final int INTERVAL_SHIFT = 33;
  private static final int GAUSSIAN_BITS = 12;
  private static final long JITTER_MASK = (1L << JITTER_BITS) - 1;
  private static final double DRIFT_PER_STEP = 0.05;
  private static final double DRIFT_KEPT = 0.999;
  private static final double PEDESTAL_SIGMAS = 6;
  private static final double LOST_SHARE = 0.02;
  private static final double OVERSHOOT = 1.02;
  private static final double WARNING_SIGMAS = 4.5;
  private static final double ALARM_SIGMAS = 7;

  private final ValueType type;
  private final long[] intervals;
  private final MachineQuantity quantity;
  private final double sigma;
  private final int deadband;
  private final int fullScale;
  private final double zero;
  private final double swing;
  private final double offset;
  private final double slope;
  private final int lost;
  private final int warning;
  private final int alarm;
  private double drift;
  private int counts;
  private @Nullable Departure departure;

  AdcReading(ReadingKind kind, int ordinal, long seed) {
    super(ordinal, seed);
    SplitMix own = new SplitMix(SplitMix.derive(seed, "reading"));
    type = kind.type();
    intervals = kind.intervals().nanos();
    quantity = kind.quantity();
    sigma = kind.sigma() * own.between(0.6, 1.4);
    deadband = kind.deadband();
    fullScale = (1 << kind.adcBits()) - 1;
    if (kind.origin() == ReadingKind.Origin.ZERO) {
      swing = kind.swing();
      zero = PEDESTAL_SIGMAS * sigma;
      lost = (int) (LOST_SHARE * swing);
    } else {
      swing = kind.swing() * own.between(0.7, 1.3);
      zero = (fullScale - swing) * own.between(0.15, 0.85);
      lost = -1;
    }
    boolean nominal = own.chance(kind.nominalShare());
    double gain = nominal ? 1 : 1 + 0.03 * own.gaussian();
    slope = kind.range() / (fullScale + 1) * gain;
    offset = nominal ? 0 : kind.range() * 0.002 * own.gaussian();
    double most = zero + OVERSHOOT * swing;
    warning = (int) (most + WARNING_SIGMAS * sigma + deadband);
    alarm = (int) (most + ALARM_SIGMAS * sigma + 2 * deadband);
    counts = (int) zero;
  }

  @Override
  public void cause(long atNanos, double sigmas) {
    departure = new Departure(atNanos, sigmas);
  }

  @Override
  public void run(Step step, Machine machine, long untilNanos) {
    double[] levels = machine.levels(quantity);
    long stepNanos = machine.stepNanos();
    int ordinal = ordinal();
    drift = drift * DRIFT_KEPT + DRIFT_PER_STEP * sigma * Gaussian.of(next());
    long state = random();
    long due = nextNanos();
    double base = zero + drift;
    int last = counts;
    Departure departs = departure;
    if (departs != null) {
      due = departs.next(due, due);
    }
    while (due < untilNanos) {
      long random = SplitMix.mix(state += SplitMix.GAMMA);
      double level = base + swing * levels[(int) ((due - stepNanos) / Machine.SECOND_NANOS)];
      if (departs != null) {
        level = departs.level(due, level);
      }
      int now = (int) (level + sigma * Gaussian.of(random) + 0.5);
      if (now - last < deadband && last - now < deadband) {
        now = level > last || (level == last && random < 0) ? last + deadband : last - deadband;
      }
      last = Math.max(0, Math.min(fullScale, now));
      long time = due + (random >>> GAUSSIAN_BITS & JITTER_MASK);
      if (departs != null) {
        last = departs.posted(due, last, fullScale);
        time = departs.time(due, time);
      }
      int packedStatus = last > lost && last < warning ? PackedStatus.GOOD : alarm(last);
      step.add(ordinal, time, arrivalNanos(time, random), packedStatus, value(last));
      long next = due + intervals[(int) (random >>> INTERVAL_SHIFT) & (ScanIntervals.COUNT - 1)];
      due = departs == null ? next : departs.next(due, next);
    }
    counts = last;
    random(state);
    nextNanos(due);
  }

  private int alarm(int counts) {
    if (counts <= lost) {
      return PackedStatus.LOST;
    }
    return counts < alarm ? PackedStatus.WARNING : PackedStatus.ALARM;
  }

  private long value(int counts) {
    return switch (type) {
      case DOUBLE -> Double.doubleToRawLongBits(offset + slope * counts);
      case FLOAT -> Float.floatToRawIntBits((float) (offset + slope * counts)) & 0xFFFFFFFFL;
      case STRING, SHORT, ENUM, CHAR, LONG -> counts;
    };
  }
}
