package org.kblake.format.time;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {

  private final byte[] target = new byte[TimeText.MAX_BYTES];

  @Test
  void writesNineDigitsAndTheOffset() {
    TimeText tokyo = new IsoTimeText(ZoneId.of("Asia/Tokyo"));

    assertThat(write(tokyo, 1_647_281_931_270_000_000L))
        .isEqualTo("2022-03-15T03:18:51.270000000+09:00");
    assertThat(write(tokyo, 1_647_281_883_000_000_005L))
        .isEqualTo("2022-03-15T03:18:03.000000005+09:00");
  }

  @Test
  void writesUtcAsAnOffset() {
    assertThat(write(new IsoTimeText(ZoneId.of("UTC")), 0))
        .isEqualTo("1970-01-01T00:00:00.000000000+00:00");
    assertThat(write(new IsoTimeText(ZoneOffset.UTC), -1))
        .isEqualTo("1969-12-31T23:59:59.999999999+00:00");
  }

  @Test
  void changesTheOffsetAtTheTransitionAndNotBefore() {
    TimeText berlin = new IsoTimeText(ZoneId.of("Europe/Berlin"));
    long transition = Instant.parse("2026-10-25T01:00:00Z").getEpochSecond() * 1_000_000_000L;

    assertThat(write(berlin, transition - 1)).isEqualTo("2026-10-25T02:59:59.999999999+02:00");
    assertThat(write(berlin, transition)).isEqualTo("2026-10-25T02:00:00.000000000+01:00");
    assertThat(write(berlin, transition - 1)).isEqualTo("2026-10-25T02:59:59.999999999+02:00");
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE})
  void writesTheFirstAndTheLastInstant(long nanos) {
    assertThat(write(new IsoTimeText(ZoneId.of("UTC")), nanos)).isEqualTo(expected("UTC", nanos));
    assertThat(write(new EpochTimeText(), nanos)).isEqualTo(String.valueOf(nanos));
  }

  /**
   * Lord Howe changes by half an hour. Chatham has +12:45. Dublin has negative daylight saving time
   * in winter.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Chatham", "Europe/Dublin", "UTC"})
  void agreesWithTheFormatterOfTheJdk(String zone) {
    long seed = 4711;
    System.out.println("TimeTextTest: seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    TimeText text = new IsoTimeText(ZoneId.of(zone));
    long nanos = 0;
    for (int i = 0; i < 100_000; i++) {
      nanos =
          i % 50 == 0
              ? random.nextLong(2_000_000_000L) * 1_000_000_000L
              : nanos + random.nextLong(7_200_000_000_000L) - 1_000_000_000_000L;
      assertThat(write(text, nanos)).isEqualTo(expected(zone, nanos));
    }
  }

  private static String expected(String zone, long nanos) {
    Instant instant = Instant.EPOCH.plus(nanos, ChronoUnit.NANOS);
    return DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.nnnnnnnnnxxx")
        .format(OffsetDateTime.ofInstant(instant, ZoneId.of(zone)));
  }

  private String write(TimeText text, long nanos) {
    return new String(target, 0, text.write(nanos, target, 0), US_ASCII);
  }
}
