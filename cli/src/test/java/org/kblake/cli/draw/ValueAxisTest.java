package org.kblake.cli.draw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.internal.fixture.Seeds;

final class ValueAxisTest {

  private static List<String> labels(double lowest, double highest, int most) {
    return new ValueAxis(lowest, highest).ticks(most).stream().map(ValueAxis.Tick::label).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|1|6|0, 0.2, 0.4, 0.6, 0.8, 1.0",
        "-1|1|5|-1.0, -0.5, 0, 0.5, 1.0",
        "0|1189.8|4|0, 500, 1000",
        "2.7e-8|1.31e-7|6|4e-8, 6e-8, 8e-8, 1.0e-7, 1.2e-7",
        "1000000|1000010|3|1.000000e6, 1.000005e6, 1.000010e6",
        "0.29|0.31|3|0.29, 0.30, 0.31",
        "-3e20|3e20|4|-2e20, 0, 2e20"
      })
  void ticksAreRoundNumbersWithTheDigitsThatDiffer(
      double lowest, double highest, int most, String expected) {
    assertThat(String.join(", ", labels(lowest, highest, most))).isEqualTo(expected);
  }

  @Test
  void ticksOfAnyAxisAreFewAscendingAndInside() {
    Random random = new Random(Seeds.one("ValueAxis"));
    for (int i = 0; i < 3_000; i++) {
      double a = Double.longBitsToDouble(random.nextLong());
      double b = i % 2 == 0 ? Double.longBitsToDouble(random.nextLong()) : Math.nextUp(a);
      if (!Double.isFinite(a) || !Double.isFinite(b) || a == b) {
        continue;
      }
      ValueAxis axis = new ValueAxis(Math.min(a, b), Math.max(a, b));
      int most = 2 + random.nextInt(9);
      List<ValueAxis.Tick> ticks = axis.ticks(most);
      assertThat(ticks).as(axis.toString()).hasSizeLessThanOrEqualTo(most);
      double before = Double.NEGATIVE_INFINITY;
      for (ValueAxis.Tick tick : ticks) {
        assertThat(tick.value()).isBetween(axis.lowest(), axis.highest()).isGreaterThan(before);
        before = tick.value();
      }
      if (i % 2 == 0) {
        assertThat(ticks).as(axis.toString()).isNotEmpty();
      }
    }
  }

  @Test
  void axisOfOneNumberIsWider() {
    assertThat(ValueAxis.of(5, 5)).isEqualTo(new ValueAxis(4.5, 5.5));
    assertThat(ValueAxis.of(0, 0)).isEqualTo(new ValueAxis(-1, 1));
    assertThat(ValueAxis.of(Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY))
        .isEqualTo(new ValueAxis(0, 1));
    assertThat(ValueAxis.of(Double.MAX_VALUE, Double.MAX_VALUE).highest())
        .isEqualTo(Double.MAX_VALUE);
  }

  @Test
  void positionsAreSharesOfTheAxis() {
    ValueAxis axis = new ValueAxis(-Double.MAX_VALUE, Double.MAX_VALUE);

    assertThat(axis.share(0)).isCloseTo(0.5, within(1e-12));
    assertThat(axis.share(Double.MAX_VALUE)).isEqualTo(1);
    assertThat(axis.share(Double.NEGATIVE_INFINITY)).isEqualTo(0);
  }
}
