package org.kblake.benchmarks.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Size;

/** Few appends and a small log, so that a broken benchmark is noticed. */
class GatherRowTest {

  @TempDir static Path data;

  @Test
  void aRowIsMeasured() throws Exception {
    System.setProperty("kblake.benchmarks.data", data.toString());
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    List<Line> lines = new GatherRow().measure(new Measurement(Size.TINY, null, nowhere));
    assertThat(lines)
        .hasSize(6)
        .allMatch(line -> Double.isFinite(line.ours().median()), "measured")
        .filteredOn(line -> line.beside() != null)
        .allMatch(line -> Double.isFinite(line.besideMedian()), "measured");
    assertThat(data).isEmptyDirectory();
  }
}
