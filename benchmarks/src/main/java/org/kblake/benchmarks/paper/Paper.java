package org.kblake.benchmarks.paper;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.kblake.benchmarks.measure.MeasuredRow;
import org.kblake.benchmarks.measure.Notebook;
import org.kblake.benchmarks.measure.Results;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;

/** Measures raw reading and columns by threads, devices and codecs. See benchmarks/paper. */
public final class Paper {

  static final List<Row> ROWS = List.of(new DevicesRow(), new AblationRow());

  private Paper() {}

  /**
   * Runs in the directory benchmarks.
   *
   * @param args names of rows; none for all
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = List.of(args);
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Results results = new Results(Path.of("results/paper"));
    for (Row row : ROWS) {
      if (words.isEmpty() || words.contains(row.name())) {
        results.put(MeasuredRow.of(row, Size.SMALL, "benchmarks/paper " + row.name(), out));
        new Notebook(Path.of("results/notebook.md"), "benchmarks/paper").write(results.all());
      }
    }
  }
}
