package org.kblake.query.internal.moved;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.Movement.Measure;

/** The level and the rate of a channel's numbers. */
final class NumberWatch {

  static final double LIMIT = 6;

  /** With fewer numbers than this the habit is not known. */
  static final int FEW = 8;

  private static final double ADJACENT = 4.5;
  private static final double MIN_STEP = 3;
  private static final double SHARE_IF_CONSTANT = 0.01;

  private final ValueType type;
  private final Habit level = new Habit();
  private final Habit rate = new Habit();
  private double smallestStep = Double.POSITIVE_INFINITY;
  private long firstNanos;
  private double last = Double.NaN;
  private long lastNanos;

  private boolean settled;
  private double intervalNanos;
  private double start = Double.NaN;
  private double peak;

  /** The excursion from the level: its sign, 0 for none; whether it began in the window. */
  private double side;

  private boolean begunInWindow;
  private @Nullable Candidate excursion;

  private @Nullable Candidate ofLevel;
  private @Nullable Candidate ofRate;

  NumberWatch(ValueType type) {
    this.type = type;
  }

  /** Returns how many numbers the baseline has. */
  int count() {
    return level.count();
  }

  /** Adds a number of the baseline. */
  void add(long nanos, double number, int block) {
    if (level.count() == 0) {
      firstNanos = nanos;
    } else {
      double step = number - last;
      if (step != 0) {
        // A step that overflows is a step: infinity means that there was none.
        smallestStep = Math.min(smallestStep, Math.min(Math.abs(step), Double.MAX_VALUE));
      }
      rate.add(rate(number, Math.max((double) (nanos - lastNanos), meanInterval())), block);
    }
    level.add(number, block);
    last = number;
    lastNanos = nanos;
  }

  /** Returns the change from the last number in each nanosecond. It does not overflow. */
  private double rate(double number, double intervalNanos) {
    double step = number - last;
    return Double.isInfinite(step)
        ? number / intervalNanos - last / intervalNanos
        : step / intervalNanos;
  }

  /** Returns the mean interval of the numbers of the baseline so far, at least 1. */
  private double meanInterval() {
    return level.count() < 2
        ? 1
        : Math.max(1, (double) (lastNanos - firstNanos) / (level.count() - 1));
  }

  private double floor() {
    double step = Math.min(smallestStep, type.isInteger() ? 1 : Double.POSITIVE_INFINITY);
    double floor = step == Double.POSITIVE_INFINITY ? 0 : step / 2;
    double centre = Math.abs(level.centre());
    return smallestStep == Double.POSITIVE_INFINITY
        ? Math.max(floor, SHARE_IF_CONSTANT * centre)
        : floor;
  }

  private void settle() {
    settled = true;
    intervalNanos = meanInterval();
    double floor = floor();
    level.settle(floor);
    if (rate.count() >= FEW) {
      rate.settle(floor / intervalNanos);
    }
    start = last;
    double z = level.count() == 0 ? 0 : level.z(last);
    side = Math.abs(z) >= ADJACENT ? Math.signum(z) : 0;
  }

  /** Adds a number of the window. */
  void watch(long nanos, double number) {
    if (!settled) {
      settle();
    }
    if (level.count() >= FEW) {
      watchLevel(nanos, number);
      if (rate.count() >= FEW) {
        watchRate(nanos, number);
      }
    } else if (!Double.isNaN(last)) {
      watchZero(nanos, number, last, lastNanos);
    }
    last = number;
    lastNanos = nanos;
  }

  private void watchLevel(long nanos, double number) {
    double z = level.z(number);
    double size = Math.abs(z);
    if (size < ADJACENT) {
      side = 0;
      excursion = null;
      return;
    }
    if (Math.signum(z) != side) {
      side = Math.signum(z);
      begunInWindow = true;
      excursion = Candidate.of(Measure.LEVEL, nanos, lastNanos, text(last), text(number));
    }
    boolean left = level.isStep(number, start, MIN_STEP);
    if (size > LIMIT && left && begunInWindow) {
      peak = Math.max(peak, size);
      ofLevel = ofLevel == null ? excursion : ofLevel;
    }
  }

  private void watchRate(long nanos, double number) {
    double size =
        Math.abs(rate.z(rate(number, Math.max((double) (nanos - lastNanos), intervalNanos))));
    if (size > LIMIT) {
      peak = Math.max(peak, size);
      if (ofRate == null) {
        ofRate = Candidate.of(Measure.RATE, nanos, lastNanos, text(last), text(number));
      }
    }
  }

  /**
   * Judges a number without a known habit: it moved if it became zero, as a supply that trips, or
   * was zero and became a whole number, as a flag. A set point leaves zero for any number.
   *
   * @param before the number before
   * @param beforeNanos its time
   */
  void watchZero(long nanos, double number, double before, long beforeNanos) {
    boolean left = before == 0 && number != 0 && number == Math.rint(number);
    if ((left || number == 0 && before != 0) && (ofLevel == null || nanos < ofLevel.onsetNanos())) {
      ofLevel = Candidate.of(Measure.STATE, nanos, beforeNanos, text(before), text(number));
    }
  }

  /** Returns a number as text, as the type of the channel has it. */
  private String text(double number) {
    if (Double.isNaN(number)) {
      return "";
    }
    return type.isInteger() && number == Math.rint(number)
        ? Long.toString((long) number)
        : type == ValueType.FLOAT ? Float.toString((float) number) : Double.toString(number);
  }

  @Nullable Candidate ofLevel() {
    return ofLevel;
  }

  @Nullable Candidate ofRate() {
    return ofRate;
  }

  /** Returns the largest z that is beyond the limit; 0 if none is. */
  double peak() {
    return peak;
  }
}
