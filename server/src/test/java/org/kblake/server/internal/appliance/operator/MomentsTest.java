package org.kblake.server.internal.appliance.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;

/** Moments and medians of numbers of any size, compared with exact arithmetic. */
final class MomentsTest {

  private static final MathContext DIGITS = new MathContext(400);

  private static final double[][] CASES = {
    {-1.7e308, 1.7e308},
    {1.7e308, 1.7e308, -1.7e308},
    {1.7e308, -1.7e308, 1.7e308, 1.6e308, -1e308},
    {Double.MAX_VALUE, -Double.MAX_VALUE, Double.MAX_VALUE, Double.MAX_VALUE},
    {1e300, 2e300, 4e300, 8e300, 9e300},
    {1e-160, 2e-160, 4e-160, 7e-160, 9e-160},
    {1e-300, -1e-300, 3e-300, 5e-300},
    {Double.MIN_VALUE, 0, 0, 3 * Double.MIN_VALUE, 0},
    {0, 1e-160, 1e160, 3, -7},
    {1e308, 1, 2, 3, 4},
    {1, 1e308, -1e308, 2},
    {5, 5, 5, 5, 5},
    {1e300, 1e300, 1e300, 1e300},
    {1e6, 1e6 + 1, 1e6 + 3, 1e6 + 4, 1e6 + 9},
    {-0.0, 0.0, 1, 2},
    {7},
    {1, 2, 6, 3},
  };

  @Test
  void numbersOfAnySize() {
    for (double[] numbers : CASES) {
      check(numbers);
    }
  }

  @Test
  void randomNumbers() throws Exception {
    Seeds.each(
        "moments",
        300,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          double[] numbers = new double[1 + random.nextInt(30)];
          int exponent = random.nextInt(-1070, 1023);
          int width = random.nextInt(3) == 0 ? random.nextInt(1, 200) : 1;
          for (int i = 0; i < numbers.length; i++) {
            int scale = Math.max(-1073, Math.min(1022, exponent + random.nextInt(-width, width)));
            numbers[i] = Math.scalb(random.nextDouble(-1, 1), scale);
          }
          check(numbers);
        });
  }

  private static void check(double[] numbers) {
    Moments moments = new Moments();
    for (double number : numbers) {
      moments.add(number);
      moments.keep(number);
    }
    Figures figures = new Figures();
    moments.write(figures);
    List<BigDecimal> exact = new ArrayList<>();
    Arrays.stream(numbers).forEach(number -> exact.add(new BigDecimal(number)));
    BigDecimal n = BigDecimal.valueOf(numbers.length);
    BigDecimal mean = exact.stream().reduce(BigDecimal.ZERO, BigDecimal::add).divide(n, DIGITS);
    BigDecimal m2 = moment(exact, mean, 2);
    BigDecimal m3 = moment(exact, mean, 3);
    BigDecimal m4 = moment(exact, mean, 4);
    String what = Arrays.toString(numbers);
    double largest = Arrays.stream(numbers).map(Math::abs).max().orElse(0);
    double most = Math.max(Double.MIN_VALUE, largest * 1e-14);
    assertThat(figures.mean).as("mean %s", what).isCloseTo(mean.doubleValue(), offset(most));
    if (numbers.length > 1) {
      double deviation = m2.divide(n.subtract(BigDecimal.ONE), DIGITS).sqrt(DIGITS).doubleValue();
      close("deviation " + what, figures.deviation, deviation, 1e-13);
    }
    double[] sorted = numbers.clone();
    Arrays.sort(sorted);
    double median =
        new BigDecimal(sorted[(sorted.length - 1) / 2])
            .add(new BigDecimal(sorted[sorted.length / 2]))
            .divide(BigDecimal.valueOf(2))
            .doubleValue();
    assertThat(figures.median).as("median %s", what).isEqualTo(median);
    // The sums of powers lose digits if they nearly cancel.
    if (numbers.length >= 3) {
      close("skewness " + what, figures.skewness, skewness(numbers.length, m2, m3), 1e-10);
    }
    if (numbers.length >= 4) {
      close("kurtosis " + what, figures.kurtosis, kurtosis(numbers.length, m2, m4), 1e-10);
    }
  }

  private static void close(String what, double found, double expected, double bound) {
    if (Double.isInfinite(expected)) {
      assertThat(found).as(what).isEqualTo(expected);
      return;
    }
    assertThat(found)
        .as(what)
        .isCloseTo(
            expected,
            offset(
                Math.max(
                    Double.MIN_VALUE,
                    bound * Math.max(what.startsWith("d") ? 0 : 1, Math.abs(expected)))));
  }

  private static BigDecimal moment(List<BigDecimal> exact, BigDecimal mean, int power) {
    return exact.stream()
        .map(each -> each.subtract(mean, DIGITS).pow(power, DIGITS))
        .reduce(BigDecimal.ZERO, (a, b) -> a.add(b, DIGITS));
  }

  private static double skewness(int n, BigDecimal m2, BigDecimal m3) {
    if (m2.signum() == 0) {
      return 0;
    }
    BigDecimal variance = m2.divide(BigDecimal.valueOf(n - 1), DIGITS);
    return BigDecimal.valueOf(n)
        .multiply(m3)
        .divide(BigDecimal.valueOf((n - 1L) * (n - 2)), DIGITS)
        .divide(variance.multiply(variance.sqrt(DIGITS), DIGITS), DIGITS)
        .doubleValue();
  }

  private static double kurtosis(int n, BigDecimal m2, BigDecimal m4) {
    if (m2.signum() == 0) {
      return 0;
    }
    BigDecimal variance = m2.divide(BigDecimal.valueOf(n - 1), DIGITS);
    return BigDecimal.valueOf(n * (n + 1L))
        .multiply(m4)
        .divide(BigDecimal.valueOf((n - 1L) * (n - 2) * (n - 3)), DIGITS)
        .divide(variance.multiply(variance, DIGITS), DIGITS)
        .subtract(
            BigDecimal.valueOf(3L * (n - 1) * (n - 1))
                .divide(BigDecimal.valueOf((n - 2L) * (n - 3)), DIGITS))
        .doubleValue();
  }
}
