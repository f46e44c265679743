package org.kblake.server.internal.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.model.TimeRange;

/** Widths for at most N bins, and aligned bins. */
final class BinWidthsTest {

  private static final ZoneId TOKYO = ZoneOffset.ofHours(9);

  @ParameterizedTest
  @CsvSource({
    "PT1H, 3600, PT1S",
    "PT1H, 3599, PT2S",
    "PT1H, 1, PT1H",
    "PT24H, 800, PT2M",
    "P365D, 800, PT12H",
    "P365D, 5760, PT2H",
    "P365D, 1, P616D",
    "PT0.001S, 100, PT0.00001S",
    "PT0S, 1, PT0.000000001S",
  })
  void widthIsTheSmallestRoundOneThatNeedsNoMoreBins(String length, int most, Duration expected) {
    long from = Instant.parse("2024-05-19T15:00:00Z").getEpochSecond() * 1_000_000_000L;
    TimeRange range = new TimeRange(from, from + Duration.parse(length).toNanos());
    assertThat(Duration.ofNanos(BinWidths.atMost(range, most, TOKYO))).isEqualTo(expected);
  }

  /** A range that begins within a bin may need one more bin than its length. */
  @Test
  void rangeThatIsNotAlignedCountsItsFirstBin() {
    long from = Instant.parse("2024-05-19T15:30:00Z").getEpochSecond() * 1_000_000_000L;
    TimeRange range = new TimeRange(from, from + Duration.ofHours(1).toNanos());
    assertThat(BinWidths.bins(range, Duration.ofHours(1).toNanos(), TOKYO)).isEqualTo(2);
    assertThat(BinWidths.begin(from, Duration.ofHours(1).toNanos(), TOKYO))
        .isEqualTo(from - Duration.ofMinutes(30).toNanos());
  }

  @Test
  void timesBefore1970AreAligned() {
    long width = Duration.ofHours(1).toNanos();
    assertThat(BinWidths.begin(-1, width, ZoneOffset.UTC)).isEqualTo(-width);
  }
}
