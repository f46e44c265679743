package org.kblake.cli.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.TimeRange;

/** The cells of a strip, against a search of all spans for each cell. */
final class StripTest {

  @Test
  void aCellShowsTheFirstOfItsStates() throws Exception {
    Seeds.each(
        "StripTest",
        1000,
        seed -> {
          Random random = new Random(seed);
          TimeRange range = RandomHistories.range(random);
          List<StateSpan> spans = RandomHistories.spans(range, random);
          int count = 1 + random.nextInt(250);
          Strip strip = Strip.of(range, spans, count);
          assertThat(strip.cells()).hasSize(count);
          for (int i = 0; i < count; i++) {
            assertThat(strip.cells().get(i)).isEqualTo(expected(range, spans, i, count));
          }
        });
  }

  /** A cell has the instants from its begin to the begin of the next cell, at least one. */
  private static LogState expected(TimeRange range, List<StateSpan> spans, int cell, int count) {
    long from = begin(range, cell, count);
    long to = Math.max(from + 1, begin(range, cell + 1, count));
    LogState first = LogState.NOT_RECORDED;
    for (StateSpan span : spans) {
      boolean meets = span.range().fromNanos() < to && span.range().toNanos() > from;
      if (meets && span.state().compareTo(first) < 0) {
        first = span.state();
      }
    }
    return first;
  }

  private static long begin(TimeRange range, int cell, int count) {
    BigInteger[] whole =
        BigInteger.valueOf(range.toNanos())
            .subtract(BigInteger.valueOf(range.fromNanos()))
            .divideAndRemainder(BigInteger.valueOf(count));
    BigInteger rest = whole[1].multiply(BigInteger.valueOf(cell)).divide(BigInteger.valueOf(count));
    return whole[0].multiply(BigInteger.valueOf(cell)).add(rest).longValueExact()
        + range.fromNanos();
  }

  @Test
  void aMinuteOfDamageIsVisibleInAYear() {
    long year = TimeUnit.DAYS.toNanos(365);
    TimeRange range = new TimeRange(0, year);
    StateMap map = new StateMap(range);
    map.cover(LogState.COLUMNS, 0, year);
    map.cover(LogState.DOWN, year / 2 - TimeUnit.HOURS.toNanos(9), year / 2);
    map.cover(LogState.DAMAGED, year / 2, year / 2 + TimeUnit.MINUTES.toNanos(1));
    for (int width = 1; width < 200; width++) {
      Strip strip = Strip.of(range, map.spans(), width);
      assertThat(strip.cells()).containsOnlyOnce(LogState.DAMAGED);
    }
  }

  @Test
  void allTimesFitAStrip() {
    StateMap map = new StateMap(TimeRange.ALL);
    map.cover(LogState.RAW, 0, Long.MAX_VALUE);
    Strip strip = Strip.of(TimeRange.ALL, map.spans(), 4);
    assertThat(strip.cells())
        .containsExactly(LogState.NOT_RECORDED, LogState.NOT_RECORDED, LogState.RAW, LogState.RAW);
  }
}
