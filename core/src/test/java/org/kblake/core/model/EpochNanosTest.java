package org.kblake.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sums of times that exceed a long are limited to its range. */
final class EpochNanosTest {

  private static final long[] EDGES = {
    Long.MIN_VALUE, Long.MIN_VALUE + 1, -2, -1, 0, 1, 2, Long.MAX_VALUE - 1, Long.MAX_VALUE
  };

  private static long nearest(BigInteger exact) {
    return exact
        .max(BigInteger.valueOf(Long.MIN_VALUE))
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  @Test
  void sumsAndDifferencesAreLimitedToTheRange() {
    for (long a : EDGES) {
      for (long b : EDGES) {
        BigInteger x = BigInteger.valueOf(a);
        BigInteger y = BigInteger.valueOf(b);
        assertThat(EpochNanos.plus(a, b)).as("%d + %d", a, b).isEqualTo(nearest(x.add(y)));
        assertThat(EpochNanos.minus(a, b)).as("%d - %d", a, b).isEqualTo(nearest(x.subtract(y)));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      longs = {
        Long.MIN_VALUE,
        -9_223_372_038L,
        -9_223_372_037L,
        -9_223_372_036L,
        -1,
        0,
        9_223_372_036L,
        9_223_372_037L,
        Long.MAX_VALUE
      })
  void secondsAreLimitedToTheRange(long second) {
    for (int nano : new int[] {0, 1, 145_224_191, 145_224_192, 854_775_807, 999_999_999}) {
      BigInteger exact =
          BigInteger.valueOf(second)
              .multiply(BigInteger.valueOf(1_000_000_000))
              .add(BigInteger.valueOf(nano));
      assertThat(EpochNanos.nearest(second, nano))
          .as("%d s + %d ns", second, nano)
          .isEqualTo(nearest(exact));
    }
  }

  @Test
  void firstAndLastInstantAreExact() {
    for (long nanos : EDGES) {
      assertThat(EpochNanos.of(EpochNanos.instant(nanos))).isEqualTo(nanos);
    }
    Instant last = EpochNanos.instant(Long.MAX_VALUE);
    Instant first = EpochNanos.instant(Long.MIN_VALUE);
    assertThatThrownBy(() -> EpochNanos.of(last.plusNanos(1)))
        .isInstanceOf(DateTimeException.class)
        .hasMessageContaining("outside of 1677-09-21 to 2262-04-11");
    assertThatThrownBy(() -> EpochNanos.of(first.minusNanos(1)))
        .isInstanceOf(DateTimeException.class);
  }

  @Test
  void durationsAndRangesAreLimitedToTheRange() {
    assertThat(EpochNanos.of(Duration.ofDays(200_000))).isEqualTo(Long.MAX_VALUE);
    assertThat(EpochNanos.of(Duration.ofDays(-200_000))).isEqualTo(Long.MIN_VALUE);
    assertThat(EpochNanos.around(5, Long.MAX_VALUE, 10))
        .isEqualTo(new TimeRange(-5, Long.MAX_VALUE));
  }
}
