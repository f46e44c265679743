package org.kblake.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ProgressLinesTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);

  @Test
  void writesALineEveryTenSecondsAndNotMore() {
    try (Progress progress =
        Progress.lines(
            "backfill",
            100L << 20,
            ProgressUnit.BYTES,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            nanos::get)) {
      progress.advance(10L << 20, 1_000_000);
      // Only differences of the clock's values have a meaning. Here the values overflow.
      nanos.addAndGet(10_000_000_000L);
      progress.advance(10L << 20, 1_000_000);
      progress.advance(10L << 20, 1_000_000);
      nanos.addAndGet(10_000_000_000L);
      progress.advance(10L << 20, 0);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            """
            backfill: 20%, 20.0 MiB of 100 MiB, 2.00 MiB/s, 200.0 k events/s, 40 s left
            backfill: 40%, 40.0 MiB of 100 MiB, 2.00 MiB/s, 150.0 k events/s, 30 s left
            """);
  }

  @Test
  void countsOtherUnits() {
    assertThat(ProgressText.line("channels", ProgressUnit.GROUPS, 30, 120, 0, 10))
        .isEqualTo("channels: 25%, 30 groups of 120 groups, 3 groups/s, 30 s left");
  }

  @Test
  void formatsDurations() {
    assertThat(ProgressText.duration(89)).isEqualTo("89 s");
    assertThat(ProgressText.duration(600)).isEqualTo("10 min");
    assertThat(ProgressText.duration(3 * 3600 + 300)).isEqualTo("3 h 5 min");
  }
}
