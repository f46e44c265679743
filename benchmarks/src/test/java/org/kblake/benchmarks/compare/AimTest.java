package org.kblake.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Unit;

/**
 * More MiB/s are better, but fewer milliseconds. A wrong direction would not be visible in a table.
 */
class AimTest {

  private static final Figure FAST = Figure.of("kblake", Unit.MEBIBYTES_PER_SECOND, 300);
  private static final Figure SLOW = Figure.of("other", Unit.MEBIBYTES_PER_SECOND, 200);
  private static final Figure SHORT = Figure.of("kblake", Unit.MILLISECONDS, 2);
  private static final Figure LONG = Figure.of("other", Unit.MILLISECONDS, 3);

  @Test
  void ratesAreBetterWhenTheyAreHigher() {
    Line line = Line.of("scan", FAST, SLOW, Aim.timesBetter(1.5));
    assertThat(line.ratio()).isEqualTo(1.5);
    assertThat(line.aim().outcome(line)).isEqualTo("met");
    assertThat(Aim.timesBetter(1.6).outcome(line)).isEqualTo("**missed**");
  }

  @Test
  void timesAreBetterWhenTheyAreLower() {
    Line line = Line.of("read", SHORT, LONG, Aim.timesBetter(1.5));
    assertThat(line.ratio()).isEqualTo(1.5);
    assertThat(line.aim().outcome(line)).isEqualTo("met");
  }

  @Test
  void aMultipleIsTheRatioOfTheFigures() {
    Line line = Line.of("read", LONG, SHORT, Aim.timesAtMost(1.2));
    assertThat(line.ratio()).isEqualTo(1.5);
    assertThat(line.aim().outcome(line)).isEqualTo("**missed**");
    assertThat(Aim.moreByAtMost(1).outcome(line)).isEqualTo("met");
    assertThat(Aim.moreByAtMost(0.5).outcome(line)).isEqualTo("**missed**");
  }

  @Test
  void absoluteLimitsNeedNoOtherFigure() {
    Line line = Line.of("read", SHORT);
    assertThat(Aim.atMost(2).outcome(line)).isEqualTo("met");
    assertThat(Aim.atMost(1).outcome(line)).isEqualTo("**missed**");
    assertThat(Aim.atLeast(3).outcome(line)).isEqualTo("**missed**");
    assertThat(Aim.NONE.outcome(line)).isEmpty();
  }

  @Test
  void aFigureThatWasNotMeasuredMeetsNoAim() {
    Figure missing = Figure.notMeasured("other", Unit.MILLISECONDS, "no registry");
    Line line = Line.of("read", SHORT, missing, Aim.timesBetter(1.5));
    assertThat(line.aim().outcome(line)).isEmpty();
  }

  @Test
  void theSpreadOfARatioIsThatOfItsSamples() {
    Figure ours = Figure.of("kblake", Unit.MILLISECONDS, List.of(3.0, 1.0, 2.0));
    Figure other = Figure.of("other", Unit.MILLISECONDS, List.of(4.0, 8.0, 6.0));
    Line line = Line.of("read", ours, other, Aim.NONE);
    assertThat(line.ratio()).isEqualTo(3);
    assertThat(line.leastRatio()).isEqualTo(4.0 / 3);
    assertThat(line.mostRatio()).isEqualTo(8);
  }
}
