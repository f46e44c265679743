package org.kblake.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressOnTerminalTest {

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Progress bar(long delayMillis) {
    return Progress.bar(
        "backfill",
        100L << 20,
        ProgressUnit.BYTES,
        new PrintStream(err, true, StandardCharsets.UTF_8),
        delayMillis);
  }

  @Test
  void lastBarIsComplete() {
    try (Progress progress = bar(0)) {
      progress.advance(100L << 20, 1_000_000);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("backfill", "100%", "100/100 MiB", "events/s");
  }

  /** A bar for work of a moment would only flicker. */
  @Test
  void nothingIsShownOfAShortTask() {
    try (Progress progress = bar(600_000)) {
      progress.advance(100L << 20, 1_000_000);
      progress.printLine("a message");
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .isEqualTo("a message" + System.lineSeparator());
  }
}
