package org.kblake.core.internal.sums;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** Means and deviations, compared with decimals of 40 digits. */
final class ScaledSumsTest {

  private static final MathContext DIGITS = new MathContext(40);

  /** The error of mean and deviation, as a share of the largest absolute value. */
  private static final double BOUND = 1e-12;

  @Test
  void boundHoldsForValuesOfAnySize() throws Exception {
    Seeds.each(
        "sums",
        20,
        seed -> {
          Random random = new Random(seed);
          check(2 + random.nextInt(50), i -> Double.longBitsToDouble(finite(random)));
          // Near one exponent, so that no value decides alone.
          int exponent = random.nextInt(2040) - 1020;
          check(
              2 + random.nextInt(50),
              i -> Math.scalb(random.nextDouble() - 0.5, exponent + random.nextInt(4)));
        });
  }

  private static long finite(Random random) {
    long bits = random.nextLong();
    return Double.isFinite(Double.longBitsToDouble(bits)) ? bits : finite(random);
  }

  /** A small deviation of values with a large offset loses all digits in sums of squares. */
  @Test
  void boundHoldsForSmallDeviationsOfLargeValues() {
    Random random = new Random(1);
    check(100_000, i -> 1e9 + 1e-3 * random.nextGaussian());
    // The first value is far from all others.
    check(100_000, i -> i == 0 ? 1e9 : 1e-3 * random.nextGaussian());
  }

  /** A naive sum of a million tenths is wrong from the twelfth digit on. */
  @Test
  void boundHoldsForManyValues() {
    int count = Seeds.cases(100_000, 1_000_000);
    check(count, i -> 0.1);
    check(count, i -> i % 2 == 0 ? 1e300 : -1e300);
  }

  @Test
  void largestNumbersDoNotOverflow() {
    check(3, i -> i == 1 ? -Double.MAX_VALUE : Double.MAX_VALUE);
    check(3, i -> Double.MAX_VALUE);
    check(4, i -> i * Double.MIN_VALUE);
  }

  private static void check(int count, IntToDoubleFunction valueOf) {
    double[] values = new double[count];
    BigDecimal sum = BigDecimal.ZERO;
    double most = 0;
    for (int i = 0; i < count; i++) {
      values[i] = valueOf.applyAsDouble(i);
      most = Math.max(most, Math.abs(values[i]));
      sum = sum.add(new BigDecimal(values[i]), DIGITS);
    }
    ScaledSums sums = new ScaledSums(2, true);
    int half = count / 2;
    double[] second = Arrays.copyOfRange(values, half, count);
    sums.add(1, values, half, most(values, half));
    sums.add(1, second, count - half, most(second, count - half));

    BigDecimal mean = sum.divide(BigDecimal.valueOf(count), DIGITS);
    BigDecimal squares = BigDecimal.ZERO;
    for (double value : values) {
      BigDecimal distance = new BigDecimal(value).subtract(mean, DIGITS);
      squares = squares.add(distance.multiply(distance, DIGITS), DIGITS);
    }
    double deviation =
        squares.divide(BigDecimal.valueOf(count - 1), DIGITS).sqrt(DIGITS).doubleValue();
    double error = Math.max(Double.MIN_VALUE, BOUND * most);
    assertThat(sums.mean(1, count)).isCloseTo(mean.doubleValue(), within(error));
    assertThat(sums.deviation(1, count)).isCloseTo(deviation, within(error));

    ScaledSums ofParts = sumsOfParts(values, 1 + count / 7);
    assertThat(ofParts.mean(1, count)).isCloseTo(mean.doubleValue(), within(error));
    assertThat(ofParts.deviation(1, count)).isCloseTo(deviation, within(error));
  }

  /** Adds the means and deviations of parts in place of the values. */
  private static ScaledSums sumsOfParts(double[] values, int partValues) {
    ScaledSums sums = new ScaledSums(2, true);
    for (int from = 0; from < values.length; from += partValues) {
      double[] part = Arrays.copyOfRange(values, from, Math.min(values.length, from + partValues));
      double most = most(part, part.length);
      sums.clear(0);
      sums.add(0, part, part.length, most);
      sums.addAll(1, part.length, sums.mean(0, part.length), sums.spread(0, part.length), most);
    }
    return sums;
  }

  @Test
  void partsWithInfinitiesAreInfinite() {
    double[] parts = {Double.POSITIVE_INFINITY, 1, Double.NEGATIVE_INFINITY};
    ScaledSums sums = new ScaledSums(2, true);
    sums.addAll(0, 2, parts[0], Double.NaN, parts[0]);
    sums.addAll(0, 2, parts[1], 0, parts[1]);
    assertThat(sums.mean(0, 4)).isEqualTo(Double.POSITIVE_INFINITY);
    assertThat(sums.deviation(0, 4)).isNaN();
    sums.addAll(0, 2, parts[2], Double.NaN, parts[0]);
    assertThat(sums.mean(0, 6)).isNaN();
    sums.addAll(1, 2, Double.NaN, Double.NaN, parts[0]);
    assertThat(sums.mean(1, 2)).isNaN();
  }

  private static double most(double[] values, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
      most = Math.max(most, Math.abs(values[i]));
    }
    return most;
  }
}
