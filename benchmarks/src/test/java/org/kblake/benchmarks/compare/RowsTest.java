package org.kblake.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Load;
import org.kblake.benchmarks.measure.MeasuredMachine;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Notebook;
import org.kblake.benchmarks.measure.Results;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.RowResult;
import org.kblake.benchmarks.measure.Size;

/**
 * Runs every row once on little data without peers, and writes its table, so that a broken row is
 * noticed. The figures are meaningless.
 */
class RowsTest {

  @TempDir static Path data;
  @TempDir Path directory;

  static List<Row> rows() {
    return Rows.ALL;
  }

  @BeforeAll
  static void takeLittleData() {
    System.setProperty("kblake.benchmarks.data", data.toString());
    System.setProperty("kblake.benchmarks.days", Double.toString(Size.TINY.days()));
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 7 s of a processor")
  @ParameterizedTest
  @MethodSource("rows")
  void aRowIsMeasuredKeptAndShown(Row row) throws Exception {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Measurement measurement = new Measurement(Size.TINY, null, nowhere);
    List<Line> lines = row.measure(measurement);
    MeasuredMachine machine = new MeasuredMachine("none", 2, 1, "none", "none", "17");
    Results results = new Results(directory);
    results.put(
        new RowResult(
            row.number(),
            row.name(),
            row.title(),
            row.data(measurement),
            "compare",
            "2026-01-01",
            machine,
            new Load(0, 1),
            Map.of(),
            measurement.proofs(),
            lines,
            measurement.details()));
    assertThat(results.all().get(0).lines()).isEqualTo(lines);
    Path page = directory.resolve("page.md");
    Files.writeString(
        page,
        "before\n<!-- tables: written by benchmarks/compare -->\nold\n<!-- end of tables of benchmarks/compare -->\nafter\n");
    new Notebook(page, "benchmarks/compare").write(results.all());
    assertThat(Files.readString(page))
        .startsWith("before\n")
        .endsWith("after\n")
        .doesNotContain("old\n")
        .contains("### " + row.number() + ". " + row.title());
  }
}
