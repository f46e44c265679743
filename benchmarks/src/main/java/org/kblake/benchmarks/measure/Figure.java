package org.kblake.benchmarks.measure;

import java.util.List;
import java.util.function.DoubleUnaryOperator;

/**
 * A measured figure with its repetitions.
 *
 * @param of the name of the program or the limit that was measured
 * @param unit the unit of the samples
 * @param samples a sample for each repetition, in the order of measurement; empty if it could not
 *     be measured
 * @param because the reason why the figure was not measured; empty if it was measured
 */
public record Figure(String of, Unit unit, List<Double> samples, String because) {

  public Figure {
    samples = List.copyOf(samples);
    if (samples.isEmpty() == because.isEmpty()) {
      throw new IllegalArgumentException(
          "a figure has samples, or a reason for none: of=" + of + ", because=" + because);
    }
  }

  public static Figure of(String of, Unit unit, List<Double> samples) {
    return new Figure(of, unit, samples, "");
  }

  public static Figure of(String of, Unit unit, double sample) {
    return of(of, unit, List.of(sample));
  }

  public static Figure notMeasured(String of, Unit unit, String because) {
    return new Figure(of, unit, List.of(), because);
  }

  public boolean measured() {
    return !samples.isEmpty();
  }

  public double least() {
    return samples.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN);
  }

  public double most() {
    return samples.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN);
  }

  /** Returns the middle sample, or the mean of the two in the middle. */
  public double median() {
    double[] sorted = samples.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    int half = sorted.length / 2;
    if (sorted.length == 0) {
      return Double.NaN;
    }
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /** Returns the same repetitions in another unit. */
  public Figure as(Unit other, DoubleUnaryOperator conversion) {
    List<Double> converted = samples.stream().map(conversion::applyAsDouble).toList();
    return new Figure(of, other, converted, because);
  }

  /** Converts milliseconds for a number of MiB into a rate. */
  public Figure asRateOf(double mebibytes) {
    return as(Unit.MEBIBYTES_PER_SECOND, millis -> mebibytes / millis * 1e3);
  }

  /** Returns the same figure with another name. */
  public Figure named(String name) {
    return new Figure(name, unit, samples, because);
  }
}
