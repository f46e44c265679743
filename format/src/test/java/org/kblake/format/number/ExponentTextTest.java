package org.kblake.format.number;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentTextTest {

  private static final int RANDOM_NUMBERS = 200_000;
  private static final MathContext SEVEN = new MathContext(7, RoundingMode.HALF_EVEN);

  private final ExponentText text = new ExponentText();
  private final byte[] target = new byte[ExponentText.MAX_BYTES];

  /** The right column is the output of glibc's printf, except for numbers that are not finite. */
  @ParameterizedTest
  @CsvSource({
    "0, 0.000000e+00",
    "-0.0, -0.000000e+00",
    "1.5, 1.500000e+00",
    "-2346, -2.346000e+03",
    "9.402521e-08, 9.402521e-08",
    "-1e300, -1.000000e+300",
    "1e-300, 1.000000e-300",
    "1e100, 1.000000e+100",
    "9.999999499999999e99, 9.999999e+99",
    "9.9999996e99, 1.000000e+100",
    "9.9999995, 9.999999e+00",
    "0.99999996, 1.000000e+00",
    "1048576.5, 1.048576e+06",
    "1048577.5, 1.048578e+06",
    "10485765, 1.048576e+07",
    "10485775, 1.048578e+07",
    "0.0000152587890625, 1.525879e-05",
    "2.5e-7, 2.500000e-07",
    "4.9e-324, 4.940656e-324",
    "2.2250738585072014e-308, 2.225074e-308",
    "1.7976931348623157e308, 1.797693e+308",
    "123456.789, 1.234568e+05",
    "NaN, NaN",
    "Infinity, INF",
    "-Infinity, -INF",
  })
  void writesWhatPrintfOfCWrites(String number, String expected) {
    assertThat(write(Double.parseDouble(number))).isEqualTo(expected);
  }

  /**
   * 8388609 * 2^-n for small n has more than seven digits and ends in a 5. So it is a tie at seven
   * digits, and its neighbours are not.
   */
  @Test
  void roundsTiesToEven() {
    int ties = 0;
    for (int n = 10_000_005; n < 10_100_000; n += 10) {
      for (double factor : new double[] {1, 0.5, 0.125, 1024, 0x1p-20}) {
        double value = n * factor;
        check(value);
        check(-Math.nextUp(value));
        check(Math.nextDown(value));
        ties++;
      }
    }
    assertThat(ties).isGreaterThan(1000);
  }

  /**
   * The numbers are the doubles nearest to (n + 1/2) * 10^k, where 10^k is not exact. One bit
   * decides the rounding.
   */
  @Test
  void decidesNextToTies() {
    SplittableRandom random = random(1);
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
      long digits = 1_000_000L + random.nextInt(9_000_000);
      double value = Double.parseDouble(digits + "5e" + (random.nextInt(600) - 308));
      if (Double.isFinite(value)) {
        check(value);
      }
    }
  }

  @Test
  void isExactForRandomBits() {
    SplittableRandom random = random(2);
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        check(value);
      }
    }
  }

  @Test
  void isExactForReadings() {
    SplittableRandom random = random(3);
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
      double power = Math.pow(10, random.nextInt(24) - 12);
      check((random.nextDouble() - 0.5) * power);
      check(Math.rint(random.nextDouble() * 1e8) / 1000 * power);
      check((float) (random.nextDouble() * power));
      check(random.nextInt() * 0.5);
    }
  }

  @Test
  void isExactAroundPowersOfTenAndTwo() {
    for (int e = -323; e <= 308; e++) {
      checkAround(Double.parseDouble("1e" + e));
    }
    for (int e = -1074; e <= 1023; e++) {
      checkAround(Math.scalb(1.0, e));
    }
    for (int subnormal = 1; subnormal < 5000; subnormal++) {
      check(subnormal * Double.MIN_VALUE);
    }
  }

  /**
   * Java's %e gives the same text if the shortest decimal and the binary value round to the same
   * number.
   */
  @Test
  void agreesWithJavaExceptForRounding() {
    SplittableRandom random = random(4);
    int different = 0;
    for (int i = 0; i < 20_000; i++) {
      double value = random.nextDouble() * 1000;
      if (!write(value).equals(String.format(Locale.ROOT, "%e", value))) {
        different++;
      }
    }
    assertThat(different).isLessThan(20);
  }

  private void checkAround(double value) {
    check(value);
    check(Math.nextUp(value));
    check(Math.nextDown(value));
  }

  private void check(double value) {
    String expected = oracle(value);
    if (!write(value).equals(expected)) {
      assertThat(write(value)).as(Double.toHexString(value)).isEqualTo(expected);
    }
  }

  private static String oracle(double value) {
    String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "";
    if (value == 0) {
      return sign + "0.000000e+00";
    }
    BigDecimal rounded = new BigDecimal(Math.abs(value)).round(SEVEN);
    int exponent = rounded.precision() - rounded.scale() - 1;
    String digits = rounded.unscaledValue().toString();
    digits += "0".repeat(Math.max(0, 7 - digits.length()));
    int magnitude = Math.abs(exponent);
    return sign
        + digits.charAt(0)
        + "."
        + digits.substring(1, 7)
        + (exponent < 0 ? "e-" : "e+")
        + (magnitude < 10 ? "0" : "")
        + magnitude;
  }

  private static SplittableRandom random(int test) {
    long seed = 20_261_121L + test;
    System.out.println("ExponentTextTest: seed=" + seed);
    return new SplittableRandom(seed);
  }

  private String write(double value) {
    return new String(target, 0, text.write(value, target, 0), US_ASCII);
  }
}
