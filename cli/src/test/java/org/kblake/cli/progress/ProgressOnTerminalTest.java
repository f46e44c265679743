package org.kblake.cli.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ProgressOnTerminalTest {

  @Test
  void lastBarIsComplete() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    try (Progress progress =
        Progress.bar("backfill", 100L << 20, new PrintStream(err, true, StandardCharsets.UTF_8))) {
      progress.advance(100L << 20, 1_000_000);
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("backfill", "100%", "100/100 MiB", "events/s");
  }
}
