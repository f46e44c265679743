package org.kblake.benchmarks.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;

/** Both rows on little data, with directories in place of devices. */
class PaperTest {

  @TempDir static Path data;

  static List<Row> rows() {
    return Paper.ROWS;
  }

  @BeforeAll
  static void takeLittleData() {
    System.setProperty("kblake.benchmarks.data", data.toString());
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aRowIsMeasured(Row row) throws Exception {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<Line> lines = row.measure(new Measurement(Size.TINY, null, nowhere));
    assertThat(lines).hasSizeGreaterThanOrEqualTo(4);
    assertThat(lines).allMatch(line -> line.ours().median() > 0, "measured");
  }
}
