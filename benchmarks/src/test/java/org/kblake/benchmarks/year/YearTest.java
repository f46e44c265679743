package org.kblake.benchmarks.year;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Size;
import org.kblake.simulate.Preset;

/** Two days at a hundredth of the channels, so that the year's benchmark does not rot. */
class YearTest {

  private static final int DAYS = 2;

  @TempDir static Path data;

  @BeforeAll
  static void takeLittleData() {
    System.setProperty("kblake.benchmarks.data", data.toString());
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 10 s of a processor")
  @Test
  void aYearGrowsIsReadAndKeepsOnlyTheNewestLog() throws Exception {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Measurement measurement = new Measurement(Size.TINY, null, nowhere);
    YearRow row = new YearRow(Preset.RF_YEAR, 0.01, DAYS);

    List<Line> lines = row.measure(measurement);

    assertThat(lines)
        .extracting(Line::what)
        .contains("status, command, warm", "verify against the logs, command");
    assertThat(lines).allMatch(line -> line.ours().median() > 0);
    try (var files = Files.walk(data)) {
      assertThat(files.filter(it -> it.toString().endsWith(".log2"))).hasSize(1);
    }
    // a run that was stopped continues: batches that are in the store are not made again
    RollingYear again = new RollingYear(Preset.RF_YEAR, 0.01, DAYS, Size.TINY, data, nowhere);
    assertThat(
            again.grow(
                () -> {
                  throw new AssertionError("made again");
                }))
        .hasSize(DAYS);
  }

  /** A year of 365 days is 335 days in batches of 15, and a month; every day is in one batch. */
  @Test
  void batchesFollowEachOther() {
    for (int days : new int[] {1, 2, 3, 10, 31, 100, 365}) {
      int next = 0;
      for (DayBatch batch : DayBatch.of(days)) {
        assertThat(batch.fromDay()).isEqualTo(next);
        next += batch.days();
      }
      assertThat(next).isEqualTo(days);
    }
    assertThat(DayBatch.of(365)).hasSize(24).last().isEqualTo(new DayBatch(23, 335, 30));
  }
}
