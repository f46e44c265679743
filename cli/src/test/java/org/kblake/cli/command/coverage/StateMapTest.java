package org.kblake.cli.command.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.TimeRange;

/** The states of a range, against an array with an entry for each instant. */
final class StateMapTest {

  private static final int LENGTH = 60;
  private static final int FROM = 1000;

  @Test
  void laterStatesCoverEarlierOnes() throws Exception {
    Seeds.each("StateMapTest", 500, StateMapTest::check);
  }

  private static void check(long seed) {
    Random random = new Random(seed);
    TimeRange range = new TimeRange(FROM, FROM + LENGTH);
    StateMap map = new StateMap(range);
    LogState[] expected = new LogState[LENGTH];
    Arrays.fill(expected, LogState.NOT_RECORDED);
    for (int i = random.nextInt(12); i >= 0; i--) {
      LogState state = LogState.values()[random.nextInt(LogState.values().length)];
      int from = random.nextInt(LENGTH + 40) - 20;
      int to = random.nextInt(LENGTH + 40) - 20;
      map.cover(state, FROM + from, FROM + to);
      for (int at = Math.max(0, from); at < Math.min(LENGTH, to); at++) {
        expected[at] = state;
      }
    }
    List<StateSpan> spans = map.spans();
    long end = FROM;
    LogState before = null;
    for (StateSpan span : spans) {
      assertThat(span.range().fromNanos()).isEqualTo(end);
      assertThat(span.state()).isNotEqualTo(before);
      end = span.range().toNanos();
      before = span.state();
      for (long at = span.range().fromNanos(); at < end; at++) {
        assertThat(span.state()).isEqualTo(expected[(int) (at - FROM)]);
      }
    }
    assertThat(end).isEqualTo(FROM + LENGTH);
  }
}
