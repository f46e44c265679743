package org.kblake.ingest.internal.live.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BytesPerDayTest {

  private static final long DAY = TimeUnit.DAYS.toNanos(1);
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void noFilesTakeNoBytes() {
    assertThat(new BytesPerDay(100 * DAY).bytesPerDay()).isZero();
    assertThat(new BytesPerDay(Long.MIN_VALUE).bytesPerDay()).isZero();
  }

  /** 2.6 KiB in five seconds are not extrapolated to 45 MiB a day. */
  @Test
  void aShortFileIsNotExtrapolatedToADay() {
    BytesPerDay week = new BytesPerDay(100 * DAY);
    week.add(2_662, 100 * DAY - 5 * SECOND, 100 * DAY);
    assertThat(week.bytesPerDay()).isEqualTo(2_662);
  }

  @Test
  void aFileOfOneEventHasItsBytes() {
    BytesPerDay week = new BytesPerDay(100 * DAY);
    week.add(300, 100 * DAY, 100 * DAY);
    assertThat(week.bytesPerDay()).isEqualTo(300);
  }

  @Test
  void aFileWithoutEventsHasNone() {
    BytesPerDay week = new BytesPerDay(100 * DAY);
    week.add(300, Long.MAX_VALUE, Long.MIN_VALUE);
    assertThat(week.bytesPerDay()).isZero();
  }

  @Test
  void filesOlderThanAWeekDoNotCount() {
    BytesPerDay week = new BytesPerDay(100 * DAY);
    week.add(1_000_000, 80 * DAY, 90 * DAY);
    // Half of the file lies within the week.
    week.add(14_000, 86 * DAY, 100 * DAY);
    assertThat(week.bytesPerDay()).isCloseTo(1_000, within(1e-6));
  }

  /** A part of a group is in columns. Its growth is that of the days in columns. */
  @Test
  void missingDaysDoNotCount() {
    BytesPerDay week = new BytesPerDay(100 * DAY);
    week.add(500, 95 * DAY, 96 * DAY);
    week.add(700, 99 * DAY, 100 * DAY);
    assertThat(week.bytesPerDay()).isCloseTo(600, within(1e-6));
  }
}
