package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DailyTimesTest {

  private static DailyTimes times(String zone, String... times) {
    return new DailyTimes(List.of(times).stream().map(LocalTime::parse).toList(), ZoneId.of(zone));
  }

  private static Instant at(String text) {
    return Instant.parse(text);
  }

  @Test
  void aTimePassesOnceADay() {
    DailyTimes times = times("Asia/Tokyo", "00:00", "12:00");
    assertThat(times.isPassed(at("2026-11-29T15:00:00Z"))).isFalse();
    assertThat(times.isPassed(at("2026-11-30T02:59:59.9Z"))).isFalse();
    assertThat(times.isPassed(at("2026-11-30T03:00:00Z"))).isTrue();
    assertThat(times.isPassed(at("2026-11-30T03:00:01Z"))).isFalse();
    assertThat(times.isPassed(at("2026-11-30T15:00:03Z"))).isTrue();
    assertThat(times.isPassed(at("2026-12-09T00:00:00Z"))).as("after days without a call").isTrue();
  }

  /** Otherwise the next one would be as far away as the clock was wrong. */
  @Test
  void aClockThatWasSetBackHasItsTimesAgain() {
    DailyTimes times = times("UTC", "06:00");
    assertThat(times.isPassed(at("2030-01-01T00:00:00Z"))).isFalse();
    assertThat(times.isPassed(at("2026-01-01T05:59:59Z"))).isFalse();
    assertThat(times.isPassed(at("2026-01-01T06:00:00Z"))).isTrue();
  }

  @Test
  void aTimeThatTheZoneLeavesOutComesLater() {
    DailyTimes times = times("Europe/Berlin", "02:30");
    assertThat(times.after(at("2026-03-29T00:00:00Z"))).isEqualTo(at("2026-03-29T01:30:00Z"));
    assertThat(times.after(at("2026-10-25T00:00:00Z"))).isEqualTo(at("2026-10-25T00:30:00Z"));
    assertThat(times.after(at("2026-10-25T00:30:00Z"))).isEqualTo(at("2026-10-26T01:30:00Z"));
  }

  @Test
  void withoutATimeNonePasses() {
    DailyTimes times = times("UTC");
    assertThat(times.isPassed(Instant.EPOCH)).isFalse();
    assertThat(times.isPassed(Instant.now())).isFalse();
  }
}
