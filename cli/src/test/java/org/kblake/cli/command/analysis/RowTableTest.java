package org.kblake.cli.command.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class RowTableTest {

  @Test
  void longNumbersHaveSixDigitsAndTextsLikeNumbersAreShown() throws Exception {
    RowTable table = new RowTable("before", "after", "channel");
    table.add(List.of("1189.8123456", "1.0E99999999999", "A:B"));
    StringWriter out = new StringWriter();
    table.write(RowForm.text, out);
    assertThat(out.toString()).contains("1189.81  1.0E99999999999  A:B");
  }

  /** A waveform may have a million elements. */
  @Test
  void longTextsAreCutInLinearTime() {
    RowTable table = new RowTable("before", "after", "channel");
    table.add(List.of("1 ".repeat(1_000_000), "調".repeat(1_000_000), "A:B"));
    StringWriter out = new StringWriter();
    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> table.write(RowForm.text, out));
    assertThat(out.toString().lines().skip(1))
        .singleElement()
        .asString()
        .startsWith("1 1 1 ")
        .contains("...  調調調")
        .endsWith("...   A:B");
  }
}
