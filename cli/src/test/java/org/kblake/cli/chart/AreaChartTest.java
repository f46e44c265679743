package org.kblake.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class AreaChartTest {

  private static final double[] STEPS = {0, 1, 2, 3, 4, 5, 6, 7, 8};

  @Test
  void blocksFillEighthsOfACell() {
    assertThat(new AreaChart(STEPS, 2, List.of("a", "b")).draw(true))
        .isEqualTo(
            """
                  8.00 |     ▂▄▆█
                     0 |▁▂▄▆█████
                        a       b
            """);
  }

  @Test
  void asciiHasNoOtherCharacters() {
    String chart = new AreaChart(STEPS, 4, List.of("00:00", "12:00", "24:00")).draw(false);
    assertThat(chart).matches("[\\x20-\\x7e\\n]+").hasLineCount(5);
  }

  @Test
  void columnsWithoutValueStayEmpty() {
    double[] values = {Double.NaN, 1, Double.POSITIVE_INFINITY, 1};
    assertThat(new AreaChart(values, 2, List.of()).draw(true).lines().toList())
        .first()
        .isEqualTo("      1.00 | █ █");
  }

  /** The area of nearly constant readings would be full if the axis began at zero. */
  @Test
  void smallChangesOfLargeValuesShow() {
    double[] values = {508.8, 508.9, 509.0};
    assertThat(new AreaChart(values, 2, List.of()).draw(true).lines().toList())
        .startsWith("       509 |  █", "       509 |▁██");
  }

  @Test
  void chartWithoutValuesIsEmpty() {
    assertThat(new AreaChart(new double[] {Double.NaN}, 2, List.of("a")).draw(true)).isEmpty();
    assertThat(new AreaChart(new double[0], 2, List.of("a")).draw(true)).isEmpty();
  }

  @Test
  void oneRowIsRejected() {
    assertThatThrownBy(() -> new AreaChart(STEPS, 1, List.of()))
        .hasMessage("chart needs at least 2 rows: rows=1");
  }
}
