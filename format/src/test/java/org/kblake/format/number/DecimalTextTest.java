package org.kblake.format.number;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.io.schubfach.DoubleToDecimal;
import com.fasterxml.jackson.core.io.schubfach.FloatToDecimal;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.internal.fixture.Seeds;

class DecimalTextTest {

  private static final int RANDOM_NUMBERS = 200_000;

  private final DecimalText text = new DecimalText();
  private final byte[] target = new byte[DecimalText.MAX_BYTES];

  /** The right column is the output of Python's repr, except for numbers that are not finite. */
  @ParameterizedTest
  @CsvSource({
    "0.0, 0.0",
    "-0.0, -0.0",
    "1.0, 1.0",
    "-2346, -2346.0",
    "0.1, 0.1",
    "123456.789, 123456.789",
    "100, 100.0",
    "0.0001, 0.0001",
    "0.00012345, 0.00012345",
    "0.00001, 1e-05",
    "9.402521e-08, 9.402521e-08",
    "1e15, 1000000000000000.0",
    "9999999999999998, 9999999999999998.0",
    "1e16, 1e+16",
    "12345678901234567, 1.2345678901234568e+16",
    "1e22, 1e+22",
    "1e23, 1e+23",
    "-1e300, -1e+300",
    "4.9e-324, 5e-324",
    "1e-323, 1e-323",
    "2.2250738585072014e-308, 2.2250738585072014e-308",
    "2.225073858507201e-308, 2.225073858507201e-308",
    "1.7976931348623157e308, 1.7976931348623157e+308",
    "9007199254740993, 9007199254740992.0",
    "2e-3, 0.002",
    "0.30000000000000004, 0.30000000000000004",
    "500.6784063900056, 500.6784063900056",
    "NaN, NaN",
    "Infinity, Infinity",
    "-Infinity, -Infinity",
  })
  void writesDoublesAsPythonDoes(String number, String expected) {
    assertThat(write(Double.parseDouble(number))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "0.1, 0.1",
    "499.23044, 499.23044",
    "16777216, 16777216.0",
    "3.4028235e38, 3.4028235e+38",
    "1.4e-45, 1e-45",
    "1.17549435e-38, 1.1754944e-38",
    "-0.0, -0.0",
    "1e-5, 1e-05",
    "33554432, 33554432.0",
    "NaN, NaN",
    "-Infinity, -Infinity",
  })
  void writesTheShortestDecimalThatReadsBackAsFloat(String number, String expected) {
    assertThat(write(Float.parseFloat(number))).isEqualTo(expected);
  }

  @Test
  void readsBackAndIsTheShortestAndNearestForRandomBits() {
    SplittableRandom random = seeded();
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
      double value = Double.longBitsToDouble(random.nextLong());
      if (Double.isFinite(value)) {
        checkDouble(value);
      }
    }
  }

  /**
   * Powers of two have uneven gaps to their neighbours. At powers of ten the number of digits
   * changes.
   */
  @Test
  void readsBackAndIsTheShortestAroundPowers() {
    for (int exponent = -1074; exponent < 1024; exponent++) {
      checkWithNeighbours(Math.scalb(1.0, exponent));
    }
    for (int exponent = -323; exponent <= 308; exponent++) {
      checkWithNeighbours(Double.parseDouble("1e" + exponent));
    }
  }

  /** These numbers take the fast path. The other numbers in between change its number of places. */
  @Test
  void writesShortDecimalsAsTheyWereTyped() {
    SplittableRandom random = seeded();
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
      long digits = random.nextLong(Digits.power(random.nextInt(1, 16)));
      BigDecimal typed = BigDecimal.valueOf(digits, random.nextInt(0, 20));
      double value = typed.doubleValue();
      assertThat(new BigDecimal(write(value))).as("%s", typed).isEqualByComparingTo(typed);
      if (i % 7 == 0) {
        checkDouble(random.nextDouble());
      }
    }
  }

  @Test
  void agreesWithJacksonWhichRequiresTwoDigitsOnlyNearZero() {
    SplittableRandom random = seeded();
    double walk = 500;
    for (int i = 0; i < RANDOM_NUMBERS; i++) {
      walk += random.nextDouble() - 0.5;
      BigDecimal expected = new BigDecimal(DoubleToDecimal.toString(walk));
      assertThat(new BigDecimal(write(walk))).isEqualByComparingTo(expected);
    }
  }

  @Test
  void writesFloatsOfAllSizesAsJacksonDoes() {
    long step = Seeds.cases(5_003, 1_009);
    for (long bits = 0; bits < 1L << 32; bits += step) {
      float value = Float.intBitsToFloat((int) bits);
      if (Float.isFinite(value) && Math.abs(value) > 1e-40) {
        BigDecimal expected = new BigDecimal(FloatToDecimal.toString(value));
        String written = write(value);
        assertThat(new BigDecimal(written)).as("%s", value).isEqualByComparingTo(expected);
        assertThat(Float.floatToRawIntBits(Float.parseFloat(written))).isEqualTo((int) bits);
      }
    }
  }

  private void checkWithNeighbours(double value) {
    checkDouble(value);
    checkDouble(Math.nextUp(value));
    checkDouble(Math.nextDown(value));
  }

  private void checkDouble(double value) {
    String written = write(value);
    assertThat(Double.doubleToRawLongBits(Double.parseDouble(written)))
        .as(written)
        .isEqualTo(Double.doubleToRawLongBits(value));
    if (value == 0) {
      return;
    }
    BigDecimal decimal = new BigDecimal(written).stripTrailingZeros();
    BigDecimal exact = new BigDecimal(value);
    int digits = decimal.precision();
    if (digits > 1) {
      assertThat(readsBack(exact, digits - 1, RoundingMode.DOWN, value)).as(written).isFalse();
      assertThat(readsBack(exact, digits - 1, RoundingMode.UP, value)).as(written).isFalse();
    }
    BigDecimal distance = decimal.subtract(exact).abs();
    for (RoundingMode mode : new RoundingMode[] {RoundingMode.DOWN, RoundingMode.UP}) {
      if (readsBack(exact, digits, mode, value)) {
        BigDecimal other = exact.round(new MathContext(digits, mode));
        assertThat(distance).as(written).isLessThanOrEqualTo(other.subtract(exact).abs());
      }
    }
  }

  private static boolean readsBack(
      BigDecimal exact, int digits, RoundingMode mode, double expected) {
    return exact.round(new MathContext(digits, mode)).doubleValue() == expected;
  }

  private static SplittableRandom seeded() {
    long seed = 20_220_315;
    System.out.println("DecimalTextTest: seed=" + seed);
    return new SplittableRandom(seed);
  }

  private String write(double value) {
    return new String(target, 0, text.write(value, target, 0), US_ASCII);
  }

  private String write(float value) {
    return new String(target, 0, text.write(value, target, 0), US_ASCII);
  }
}
