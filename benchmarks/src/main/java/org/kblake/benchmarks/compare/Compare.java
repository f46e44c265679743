package org.kblake.benchmarks.compare;

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
import org.kblake.benchmarks.measure.Size;

/** Measures rows, stores their results and writes the tables. See benchmarks/compare. */
public final class Compare {

  private Compare() {}

  /**
   * Runs in the directory {@code benchmarks}.
   *
   * @param args {@code --list} to print the numbers of rows; {@code --tables} to write the tables
   *     only; or the number of a row, perhaps with {@code --full}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    if (words.contains("--list")) {
      Rows.ALL.forEach(row -> out.println(row.number()));
      return;
    }
    Results results = new Results(Path.of("results"));
    if (!words.remove("--tables")) {
      Size size = words.remove("--full") ? Size.FULL : Size.SMALL;
      if (words.size() != 1) {
        throw new IllegalArgumentException("one row is measured at a time: rows=" + words);
      }
      Row row = Rows.of(words.get(0));
      String command = "benchmarks/compare " + (size == Size.FULL ? "--full " : "") + row.number();
      results.put(MeasuredRow.of(row, size, command, out));
    }
    new Notebook(Path.of("results/notebook.md"), "benchmarks/compare").write(results.all());
  }
}
