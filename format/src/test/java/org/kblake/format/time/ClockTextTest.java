package org.kblake.format.time;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClockTextTest {

  private final byte[] target = new byte[ClockText.BYTES_WITH_FRACTION];

  @Test
  void cutsTheFraction() {
    ClockText tokyo = new ClockText(ZoneId.of("Asia/Tokyo"));

    assertThat(exact(tokyo, 1_647_281_931_270_000_000L)).isEqualTo("03/15/2022 03:18:51.27");
    assertThat(exact(tokyo, 1_647_281_881_279_999_999L)).isEqualTo("03/15/2022 03:18:01.27");
    assertThat(exact(tokyo, 1_647_281_881_999_999_999L)).isEqualTo("03/15/2022 03:18:01.99");
    assertThat(whole(tokyo, 1_647_281_881_999_999_999L)).isEqualTo("03/15/2022 03:18:01");
  }

  @Test
  void cutsTowardsThePastBefore1970() {
    ClockText utc = new ClockText(ZoneId.of("UTC"));

    assertThat(exact(utc, -1)).isEqualTo("12/31/1969 23:59:59.99");
    assertThat(exact(utc, Long.MIN_VALUE)).isEqualTo("09/21/1677 00:12:43.14");
    assertThat(exact(utc, Long.MAX_VALUE)).isEqualTo("04/11/2262 23:47:16.85");
  }

  @Test
  void showsAnHourTwiceWhenClocksAreSetBack() {
    ClockText berlin = new ClockText(ZoneId.of("Europe/Berlin"));
    long transition = Instant.parse("2026-10-25T01:00:00Z").getEpochSecond() * 1_000_000_000L;

    assertThat(exact(berlin, transition - 1)).isEqualTo("10/25/2026 02:59:59.99");
    assertThat(exact(berlin, transition)).isEqualTo("10/25/2026 02:00:00.00");
  }

  /**
   * Lord Howe changes by half an hour. Chatham has +12:45. Dublin has negative daylight saving time
   * in winter.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"Asia/Tokyo", "Australia/Lord_Howe", "Pacific/Chatham", "Europe/Dublin", "UTC"})
  void agreesWithTheFormatterOfTheJdk(String zone) {
    long seed = 815;
    System.out.println("ClockTextTest: seed=" + seed);
    SplittableRandom random = new SplittableRandom(seed);
    ClockText text = new ClockText(ZoneId.of(zone));
    DateTimeFormatter formatter =
        DateTimeFormatter.ofPattern("MM/dd/uuuu HH:mm:ss.SS").withZone(ZoneId.of(zone));
    long nanos = 0;
    for (int i = 0; i < 100_000; i++) {
      nanos =
          i % 50 == 0
              ? random.nextLong(2_000_000_000L) * 1_000_000_000L
              : nanos + random.nextLong(7_200_000_000_000L) - 1_000_000_000_000L;
      String expected = formatter.format(Instant.EPOCH.plus(nanos, ChronoUnit.NANOS));
      assertThat(exact(text, nanos)).isEqualTo(expected);
      assertThat(whole(text, nanos)).isEqualTo(expected.substring(0, ClockText.BYTES));
    }
  }

  private String exact(ClockText text, long nanos) {
    return new String(target, 0, text.writeWithFraction(nanos, target, 0), US_ASCII);
  }

  private String whole(ClockText text, long nanos) {
    return new String(target, 0, text.write(nanos, target, 0), US_ASCII);
  }
}
