package org.kblake.cli.draw;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.internal.fixture.Seeds;

final class TimeAxisTest {

  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

  private static long nanos(String instant) {
    Instant parsed = Instant.parse(instant);
    return parsed.getEpochSecond() * 1_000_000_000L + parsed.getNano();
  }

  private static TimeAxis axis(String from, long nanos, ZoneId zone) {
    return new TimeAxis(nanos(from), nanos(from) + nanos, zone);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "100|0, 10, 20, 30, 40, 50, 60, 70, 80, 90|ns after 2016-05-16 09:30:15.000000, Asia/Tokyo",
        "3000|0, 500, 1000, 1500, 2000, 2500|ns after 2016-05-16 09:30:15.000000, Asia/Tokyo",
        "1000000|0, 200, 400, 600, 800|µs after 2016-05-16 09:30:15.000, Asia/Tokyo",
        "2000000000|0, 500, 1000, 1500|ms after 2016-05-16 09:30:15, Asia/Tokyo",
        "30000000000|09:30:20, 09:30:30, 09:30:40|2016-05-16, Asia/Tokyo",
        "3600000000000|09:40, 09:50, 10:00, 10:10, 10:20, 10:30|2016-05-16, Asia/Tokyo",
        "86400000000000|12:00, 18:00, 05-17, 06:00|2016-05-16 to 2016-05-17, Asia/Tokyo",
        "604800000000000|05-17, 05-19, 05-21, 05-23|2016-05-16 to 2016-05-23, Asia/Tokyo",
        "31536000000000000|2016-07, 2016-10, 2017-01, 2017-04|2016-05-16 to 2017-05-16, Asia/Tokyo",
        "946080000000000000|2020, 2025, 2030, 2035, 2040, 2045|2016-05-16 to 2046-05-09, Asia/Tokyo"
      })
  void ticksHaveUnitsOfTimeThatFitTheSpan(long nanos, String labels, String caption) {
    TimeAxis.Ticks ticks = axis("2016-05-16T00:30:15Z", nanos, TOKYO).ticks(42);

    assertThat(String.join(", ", ticks.ticks().stream().map(TimeAxis.Tick::label).toList()))
        .isEqualTo(labels);
    assertThat(ticks.caption()).isEqualTo(caption);
  }

  @Test
  void ticksOfAnySpanAreAscendingInsideAndHaveRoom() {
    Random random = new Random(Seeds.one("TimeAxis"));
    long most = 30L * 366 * 86_400 * 1_000_000_000L;
    for (int i = 0; i < 1_000; i++) {
      long span = Math.max(1, (long) Math.exp(random.nextDouble() * Math.log((double) most)));
      long from = nanos("1995-01-01T00:00:00Z") + (long) (random.nextDouble() * most);
      int characters = 30 + random.nextInt(170);
      TimeAxis axis = new TimeAxis(from, from + span, ZoneId.of("America/New_York"));
      List<TimeAxis.Tick> ticks = axis.ticks(characters).ticks();
      int length = 0;
      long before = from - 1;
      for (TimeAxis.Tick tick : ticks) {
        assertThat(tick.nanos()).as(axis.toString()).isGreaterThan(before);
        before = tick.nanos();
        length += tick.label().length() + 1;
      }
      assertThat(before).isLessThan(from + span);
      assertThat(length).as(axis.toString()).isLessThanOrEqualTo(characters);
      assertThat(ticks.size()).as(axis + " " + characters).isGreaterThanOrEqualTo(span > 2 ? 1 : 0);
    }
  }

  /** Clocks are set back at 2:00 in the night to 6 November 2016. */
  @Test
  void hourThatOccursTwiceHasOneTick() {
    TimeAxis axis =
        axis("2016-11-06T04:00:00Z", 4 * 3_600_000_000_000L, ZoneId.of("America/New_York"));

    assertThat(axis.ticks(60).ticks().stream().map(TimeAxis.Tick::label).distinct().count())
        .isEqualTo(axis.ticks(60).ticks().size());
  }

  @Test
  void axisUpToTheLastTimeHasTicks() {
    TimeAxis axis = new TimeAxis(nanos("2200-01-01T00:00:00Z"), Long.MAX_VALUE, TOKYO);

    assertThat(axis.ticks(60).ticks()).isNotEmpty();
    assertThat(axis.share(Long.MAX_VALUE)).isEqualTo(1);
  }

  /** Clocks are set forward at 2:00 in the night to 13 March 2016. */
  @Test
  void skippedHourHasNoLabel() {
    TimeAxis axis =
        axis("2016-03-13T05:00:00Z", 4 * 3_600_000_000_000L, ZoneId.of("America/New_York"));

    assertThat(axis.ticks(40).ticks().stream().map(TimeAxis.Tick::label))
        .contains("01:00", "03:00")
        .doesNotContain("02:00");
  }

  @Test
  void axisOfMoreThan292YearsHasTicks() {
    TimeAxis axis =
        new TimeAxis(nanos("1700-01-01T00:00:00Z"), nanos("2250-01-01T00:00:00Z"), TOKYO);

    assertThat(axis.ticks(60).ticks().stream().map(TimeAxis.Tick::label))
        .containsExactly("1800", "1900", "2000", "2100", "2200");
    assertThat(axis.share(axis.fromNanos())).isZero();
    assertThat(axis.share(nanos("2000-01-01T00:00:00Z"))).isBetween(0.54, 0.55);
    assertThat(axis.share(axis.toNanos())).isEqualTo(1);
  }
}
