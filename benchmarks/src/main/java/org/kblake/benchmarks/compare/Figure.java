package org.kblake.benchmarks.compare;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * What was measured, each repetition of it.
 *
 * @param of what it is a figure of
 * @param unit what samples count
 * @param samples one for each repetition, in the order in which they were taken; none if it could
 *     not be measured
 * @param because why it was not measured; empty if it was
 */
record Figure(String of, Unit unit, List<Double> samples, String because) {

  Figure {
    samples = List.copyOf(samples);
    if (samples.isEmpty() == because.isEmpty()) {
      throw new IllegalArgumentException(
          "a figure has samples, or a reason for none: of=" + of + ", because=" + because);
    }
  }

  static Figure of(String of, Unit unit, List<Double> samples) {
    return new Figure(of, unit, samples, "");
  }

  static Figure of(String of, Unit unit, double sample) {
    return of(of, unit, List.of(sample));
  }

  static Figure notMeasured(String of, Unit unit, String because) {
    return new Figure(of, unit, List.of(), because);
  }

  boolean measured() {
    return !samples.isEmpty();
  }

  double least() {
    return samples.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
  }

  double most() {
    return samples.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }

  /** The middle one, or the mean of the two in the middle. */
  double median() {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** The same repetitions, told in another unit. */
  Figure as(Unit other, DoubleUnaryOperator conversion) {
    List<Double> converted = samples.stream().map(conversion::applyAsDouble).toList();
    return new Figure(of, other, converted, because);
  }

  /** Milliseconds that something of so many MiB took, as a rate. */
  Figure asRateOf(double mebibytes) {
    return as(Unit.MEBIBYTES_PER_SECOND, millis -> mebibytes / millis * 1e3);
  }

  /** The same figure under another name. */
  Figure named(String name) {
    return new Figure(name, unit, samples, because);
  }
}
