package org.kblake.benchmarks.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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

/** Each row runs once with little data, so that a broken benchmark is noticed. */
class ServeTest {

  @TempDir static Path data;

  static List<Row> rows() {
    return Serve.rows();
  }

  @BeforeAll
  static void takeLittleData() {
    System.setProperty("kblake.benchmarks.data", data.toString());
    System.setProperty("kblake.benchmarks.days", "0.01");
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 14 s of a processor")
  @ParameterizedTest
  @MethodSource("rows")
  void aRowIsMeasured(Row row) throws Exception {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<Line> lines = row.measure(new Measurement(Size.TINY, null, nowhere));
    assertThat(lines).isNotEmpty();
    assertThat(lines).allMatch(line -> Double.isFinite(line.ours().median()), "measured");
  }
}
