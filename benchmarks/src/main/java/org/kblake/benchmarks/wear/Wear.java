package org.kblake.benchmarks.wear;

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

/** Measures what kblake run writes to the disk, and reads beside it. See benchmarks/wear. */
public final class Wear {

  private static final int RECORDS = 1000;
  private static final int HOURS = 24;

  private Wear() {}

  /**
   * Begins in the directory benchmarks.
   *
   * @param args {@code --small} for little data, whose figures are printed but not kept; names of
   *     rows
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    boolean small = words.remove("--small");
    Results results = new Results(Path.of("results/wear"));
    for (Row row : small ? rows(100, 2) : rows(RECORDS, HOURS)) {
      if (words.isEmpty() || words.contains(row.name())) {
        Size size = small ? Size.TINY : Size.SMALL;
        RowResult measured = MeasuredRow.of(row, size, "benchmarks/wear " + row.name(), out);
        if (!small) {
          results.put(measured);
          new Notebook(Path.of("results/notebook.md"), "benchmarks/wear").write(results.all());
        }
      }
    }
  }

  /** Returns all rows. */
  static List<Row> rows(int records, int hours) {
    return List.of(new WearRow(records, hours), new StatusRow(), new RemovalRow());
  }
}
