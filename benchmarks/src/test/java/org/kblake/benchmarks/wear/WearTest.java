package org.kblake.benchmarks.wear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;

/** An hour of ten channels, and few blocks, so that a broken benchmark is noticed. */
class WearTest {

  @TempDir static Path data;

  static List<Row> rows() {
    return Wear.rows(10, 1);
  }

  @BeforeAll
  static void takeLittleData() {
    System.setProperty("kblake.benchmarks.data", data.toString());
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 5 s of a processor")
  @ParameterizedTest
  @MethodSource("rows")
  void aRowIsMeasured(Row row) throws Exception {
    assumeThat(Files.isWritable(WearRow.MEMORY)).as("/dev/shm is writable").isTrue();
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<Line> lines = row.measure(new Measurement(Size.TINY, null, nowhere));
    assertThat(lines).isNotEmpty();
    assertThat(lines)
        .filteredOn(line -> line.ours().measured())
        .allMatch(line -> Double.isFinite(line.ours().median()), "measured");
    try (var left = Files.list(data)) {
      assertThat(left).allMatch(it -> it.getFileName().toString().startsWith("wear-blocks"));
    }
  }
}
