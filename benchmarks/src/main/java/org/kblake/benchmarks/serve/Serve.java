package org.kblake.benchmarks.serve;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.measure.MeasuredRow;
import org.kblake.benchmarks.measure.Notebook;
import org.kblake.benchmarks.measure.Results;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.RowResult;
import org.kblake.benchmarks.measure.Size;

/** Measures {@code kblake serve} with clients on the loopback interface. See benchmarks/serve. */
public final class Serve {

  private Serve() {}

  /**
   * Begins in the directory benchmarks.
   *
   * @param args {@code --small} for little data, whose figures are printed but not kept; names of
   *     rows
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    Size size = words.remove("--small") ? Size.TINY : Size.SMALL;
    Results results = new Results(Path.of("results/serve"));
    for (Row row : rows()) {
      if (words.isEmpty() || words.contains(row.name())) {
        RowResult measured = MeasuredRow.of(row, size, "benchmarks/serve " + row.name(), out);
        if (size != Size.TINY) {
          results.put(measured);
          new Notebook(Path.of("results/notebook.md"), "benchmarks/serve").write(results.all());
        }
      }
    }
  }

  /** Returns all rows. */
  static List<Row> rows() {
    return List.of(
        new StartRow(), new SearchRow(), new TrendsRow(), new OptimizedRow(), new ArrowRow());
  }
}
