package org.kblake.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.kblake.core.model.TimeRange;

/** Times of a log with a milestone each 10 ns, so that a longer time than 20 ns is a stop. */
final class WriteTimesTest {

  private static final long NONE_FIRST = Long.MAX_VALUE;
  private static final long NONE_LAST = Long.MIN_VALUE;

  private final WriteTimes.Builder times = new WriteTimes.Builder(10);

  private List<String> written() {
    return times.build().written().stream().map(WriteTimesTest::text).toList();
  }

  private static String text(TimeRange range) {
    return range.fromNanos() + "-" + range.toNanos();
  }

  @Test
  void milestonesOfAQuietLogShowThatKblogWasRunning() {
    times.add(0, NONE_FIRST, NONE_LAST, 10, false);
    times.add(10, NONE_FIRST, NONE_LAST, 30, false);
    times.add(30, NONE_FIRST, NONE_LAST, 60, true);
    assertThat(written()).containsExactly("0-30");
  }

  @Test
  void aSegmentMayBeginWithAStop() {
    times.add(0, 25, 30, 35, false);
    times.add(35, 36, 40, 45, true);
    assertThat(written()).containsExactly("25-40");
  }

  @Test
  void aSegmentMayEndWithAStop() {
    times.add(0, 5, 8, 100, false);
    times.add(100, NONE_FIRST, NONE_LAST, 110, true);
    assertThat(written()).containsExactly("0-8");
    WriteTimes found = times.build();
    assertThat(found.beginNanos()).isZero();
    assertThat(found.lastWriteNanos()).isEqualTo(100);
    assertThat(found.endNanos()).isEqualTo(110);
    assertThat(found.silenceNanos()).isEqualTo(20);
  }

  @Test
  void twoIntervalsAreNoStop() {
    times.add(0, 20, 20, 40, false);
    times.add(40, 41, 50, 60, true);
    assertThat(written()).containsExactly("0-50");
  }

  @Test
  void aClockMayBeSetBack() {
    times.add(100, 105, 110, 115, false);
    times.add(40, 45, 50, 55, true);
    WriteTimes found = times.build();
    assertThat(found.written())
        .extracting(WriteTimesTest::text)
        .containsExactly("100-115", "40-50");
    assertThat(found.beginNanos()).isEqualTo(100);
    assertThat(found.lastWriteNanos()).isEqualTo(50);
  }

  @Test
  void damageHasTheTimesOfItsSegment() {
    times.add(0, NONE_FIRST, NONE_LAST, 10, true);
    times.addDamaged(0, 9);
    assertThat(times.build().damaged()).extracting(WriteTimesTest::text).containsExactly("0-10");
  }
}
