package org.kblake.record.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.internal.fixture.Seeds;

final class ConversionsTest {

  private final Conversions conversions = new Conversions();

  private double integer(long integer, boolean isUnsigned) {
    ByteBuffer bytes = ByteBuffer.allocate(8);
    conversions.putInteger(bytes, integer, isUnsigned);
    return bytes.getDouble(0);
  }

  @Test
  void integersThatADoubleHoldsAreExact() {
    assertThat(integer(0, false)).isZero();
    assertThat(integer(-1, false)).isEqualTo(-1);
    assertThat(integer(1L << 53, false)).isEqualTo(9_007_199_254_740_992.0);
    assertThat(integer(-(1L << 53), false)).isEqualTo(-9_007_199_254_740_992.0);
    assertThat(integer(Long.MIN_VALUE, false)).isEqualTo(-0x1p63);
    assertThat(integer(Long.MIN_VALUE, true)).isEqualTo(0x1p63);
    assertThat(conversions.inexactIntegers()).isZero();
  }

  @Test
  void otherIntegersAreCounted() {
    assertThat(integer((1L << 53) + 1, false)).isEqualTo(0x1p53);
    assertThat(integer(Long.MAX_VALUE, false)).isEqualTo(0x1p63);
    assertThat(integer(-1, true)).isEqualTo(0x1p64);
    assertThat(conversions.inexactIntegers()).isEqualTo(3);
  }

  @Test
  void eachIntegerIsTheNearestDouble() throws Exception {
    Seeds.each("ConversionsTest", Seeds.cases(10, 100), this::convertRandom);
  }

  private void convertRandom(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 1000; i++) {
      long bits = random.nextLong() >> random.nextInt(64) << random.nextInt(64);
      boolean isUnsigned = random.nextBoolean();
      BigInteger truth =
          isUnsigned ? new BigInteger(Long.toUnsignedString(bits)) : BigInteger.valueOf(bits);
      long before = conversions.inexactIntegers();
      double number = integer(bits, isUnsigned);
      boolean isExact = new BigDecimal(number).compareTo(new BigDecimal(truth)) == 0;
      assertThat(number).as("integer %s", truth).isEqualTo(truth.doubleValue());
      assertThat(conversions.inexactIntegers() - before)
          .as("integer %s", truth)
          .isEqualTo(isExact ? 0 : 1);
    }
  }

  private String string(String text) {
    ByteBuffer bytes = ByteBuffer.allocate(40);
    conversions.putString(bytes, text);
    assertThat(bytes.remaining()).isZero();
    assertThat(bytes.get(39)).isZero();
    return new String(bytes.array(), StandardCharsets.UTF_8).replace("\0", "");
  }

  @Test
  void stringsThatFitAreWhole() {
    assertThat(string("")).isEmpty();
    assertThat(string("x".repeat(39))).isEqualTo("x".repeat(39));
    assertThat(string("加速器".repeat(4) + "abc")).isEqualTo("加速器".repeat(4) + "abc");
    assertThat(conversions.cutStrings()).isZero();
  }

  /** Characters of one to four bytes, which begin at each place before the end. */
  @ParameterizedTest
  @ValueSource(strings = {"x", "è", "器", "𝄞"})
  void longStringsEndWithAWholeCharacter(String character) {
    int length = character.getBytes(StandardCharsets.UTF_8).length;
    for (int before = 0; before < 4; before++) {
      String kept = string("y".repeat(before) + character.repeat(50));
      assertThat(kept).isEqualTo("y".repeat(before) + character.repeat((39 - before) / length));
    }
    assertThat(conversions.cutStrings()).isEqualTo(4);
  }

  @Test
  void stringEndsAtAZero() {
    assertThat(string("on\0off")).isEqualTo("on");
    assertThat(conversions.cutStrings()).isEqualTo(1);
  }
}
