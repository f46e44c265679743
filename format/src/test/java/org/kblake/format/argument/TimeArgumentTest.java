package org.kblake.format.argument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.format.argument.TimeArgument.Bound;

final class TimeArgumentTest {

  private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");
  private static final ZoneId GENEVA = ZoneId.of("Europe/Zurich");
  // 2016-05-17 00:30 in Tokyo, when the date in UTC is still the day before.
  private static final Instant NOW = Instant.parse("2016-05-16T15:30:00.000000001Z");

  @ParameterizedTest
  @CsvSource({
    "2016-05-16T09:00:00.123456789+09:00, 2016-05-16T00:00:00.123456789Z",
    "2016-05-16T09:00:00.123456789,       2016-05-16T00:00:00.123456789Z",
    "2016-05-16T00:00:00Z,                2016-05-16T00:00:00Z",
    "2016-05-16t00:00z,                   2016-05-16T00:00:00Z",
    "2016-05-16 09:00:00.5,               2016-05-16T00:00:00.5Z",
    "'2016-05-16T09:00:00,5',             2016-05-16T00:00:00.5Z",
    "2016-05-16T09:00,                    2016-05-16T00:00:00Z",
    "2016-05-16T09,                       2016-05-16T00:00:00Z",
    "2016-05-16T09-03,                    2016-05-16T12:00:00Z",
    "2016-05-16T09:00-0330,               2016-05-16T12:30:00Z",
    "2016-05-16T24:00,                    2016-05-16T15:00:00Z",
    "2016-05-16,                          2016-05-15T15:00:00Z",
    "20160516090001,                      2016-05-16T00:00:01Z",
    "201605160901,                        2016-05-16T00:01:00Z",
    "2016051609,                          2016-05-16T00:00:00Z",
    "20160516,                            2016-05-15T15:00:00Z",
    "201605,                              2016-04-30T15:00:00Z",
    "2016,                                2015-12-31T15:00:00Z",
    "2016-05-16 9:00,                     2016-05-16T00:00:00Z",
    "2016-05-16T0900,                     2016-05-16T00:00:00Z",
    "2016-05,                             2016-04-30T15:00:00Z",
    "2016/05,                             2016-04-30T15:00:00Z",
    "2016/05/16,                          2016-05-15T15:00:00Z",
    "2016/05/16 09:00:00.25,              2016-05-16T00:00:00.25Z",
    "2016/05/16T09+00:00,                 2016-05-16T09:00:00Z",
    "20160516T09,                         2016-05-16T00:00:00Z",
    "20160516T090001Z,                    2016-05-16T09:00:01Z",
    "20160516 09:00,                      2016-05-16T00:00:00Z",
    "05/16/2016 09:00:00,                 2016-05-16T00:00:00Z",
    "05/16/2016 09:00:00.51,              2016-05-16T00:00:00.51Z",
    "05/16/2016,                          2016-05-15T15:00:00Z",
    "@1463356800,                         2016-05-16T00:00:00Z",
    "@1463356800.5,                       2016-05-16T00:00:00.5Z",
    "@-1.25,                              1969-12-31T23:59:58.75Z",
    "now,                                 2016-05-16T15:30:00.000000001Z",
    "today,                               2016-05-16T15:00:00Z",
    "Yesterday,                           2016-05-15T15:00:00Z",
    "yesterday 9:00,                      2016-05-16T00:00:00Z",
    "YesterdayT090030.5,                  2016-05-16T00:00:30.5Z",
    "yesterday 24:00,                     2016-05-16T15:00:00Z",
    "today 00:10,                         2016-05-16T15:10:00Z",
    "now-1h,                              2016-05-16T14:30:00.000000001Z",
    "NOW - 1h,                            2016-05-16T14:30:00.000000001Z",
    "-1M,                                 2016-04-16T15:30:00.000000001Z",
    "-1y,                                 2015-05-16T15:30:00.000000001Z",
    "now-1y2M1d,                          2015-03-15T15:30:00.000000001Z",
    "-90m,                                2016-05-16T14:00:00.000000001Z",
    "-7d,                                 2016-05-09T15:30:00.000000001Z",
    "-2h30m,                              2016-05-16T13:00:00.000000001Z",
    "-1ns,                                2016-05-16T15:30:00Z"
  })
  void readsEveryFormInTheArchivesZone(String text, Instant expected) {
    assertThat(nanos(text, TOKYO, Bound.FROM)).isEqualTo(nanos(expected));
  }

  @Test
  void timeShownTwiceIsTheEarlierInstantForFromAndTheLaterForTo() {
    // Clocks in Geneva went from 03:00 back to 02:00 on this day.
    assertThat(nanos("2016-10-30T02:30", GENEVA, Bound.FROM))
        .isEqualTo(nanos(Instant.parse("2016-10-30T00:30:00Z")));
    assertThat(nanos("2016-10-30T02:30", GENEVA, Bound.TO))
        .isEqualTo(nanos(Instant.parse("2016-10-30T01:30:00Z")));
  }

  /** A month has no fixed length, so the clock time stays, and a duration would not. */
  @Test
  void monthsAndYearsKeepTheClockTimeAndTheEndOfTheMonth() {
    Instant afterTheChange = Instant.parse("2016-03-31T10:00:00Z");
    assertThat(TimeArgument.parse("-1M").nanos(GENEVA, afterTheChange, Bound.FROM))
        .isEqualTo(nanos(Instant.parse("2016-02-29T11:00:00Z")));
    assertThat(TimeArgument.parse("yesterday 2:30").nanos(GENEVA, afterTheChange, Bound.FROM))
        .isEqualTo(nanos(Instant.parse("2016-03-30T00:30:00Z")));
  }

  @Test
  void timeNeverShownIsTheInstantAtWhichClocksWereSetForward() {
    // Clocks in Geneva went from 02:00 to 03:00 on this day.
    for (Bound bound : Bound.values()) {
      assertThat(nanos("2016-03-27T02:30", GENEVA, bound))
          .isEqualTo(nanos(Instant.parse("2016-03-27T01:00:00Z")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "2016-13-01",
        "2016-02-30",
        "2016-05-16T25:00",
        "2016-05-16T09:60",
        "2016-05-16T09:00+19:00",
        "2016-05-16+09:00",
        "2016-5-16",
        "20165",
        "2016051",
        "1463324400123",
        "2016-05-16-",
        "2016-05/16",
        "2016-05T09",
        "2016-0516",
        "13/16/2016",
        "16/05/2016",
        "20160516T9",
        "yesterday 25:00",
        "today 09:00Z",
        "tomorrow",
        "now-",
        "now+1h",
        "nowhere",
        "@",
        "@noon",
        "@12345678901",
        "-1",
        "-1Y",
        "-1M1",
        "-",
        "-7",
        "-7x",
        "-d"
      })
  void errorOfWrongTimeShowsFourExamples(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeArgument.parse(text))
        .withMessageStartingWith("'" + text + "' is not a time")
        .withMessageEndingWith("; write 2016-05-16T09:00, 20160516, 'yesterday 9:00' or -1h");
  }

  @Test
  void finerThanNanosecondsIsRefusedNotRounded() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TimeArgument.parse("2016-05-16T09:00:00.1234567891"))
        .withMessageContaining("finer than a nanosecond");
  }

  @Test
  void timesBeyondALongOfNanosecondsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> nanos("9999-01-01", TOKYO, Bound.TO))
        .withMessageContaining("1677 to 2262");
  }

  private static long nanos(String text, ZoneId zone, Bound bound) {
    return TimeArgument.parse(text).nanos(zone, NOW, bound);
  }

  private static long nanos(Instant instant) {
    return instant.getEpochSecond() * 1_000_000_000L + instant.getNano();
  }
}
