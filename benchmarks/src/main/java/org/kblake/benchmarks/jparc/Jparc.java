package org.kblake.benchmarks.jparc;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.measure.DetailTable;
import org.kblake.benchmarks.measure.MeasuredRow;
import org.kblake.benchmarks.measure.Notebook;
import org.kblake.benchmarks.measure.Results;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.RowResult;
import org.kblake.benchmarks.measure.Size;

/** Measures J-PARC's matrix. See benchmarks/jparc. */
public final class Jparc {

  private static final int DAY_SECONDS = 86_400;

  /** The length of a day with the option --small. */
  private static final int SMALL_DAY_SECONDS = 3_600;

  private static final int DAYS = 5;
  private static final int CHANNELS_OF_MATRIX = 5;
  private static final int CHANNELS_OF_DAYS = 10;

  private Jparc() {}

  /**
   * Runs in the directory benchmarks.
   *
   * @param args {@code --small} for days of an hour, whose figures are printed but not kept; names
   *     of rows
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    boolean small = words.remove("--small");
    Results results = new Results(Path.of("results/jparc"));
    for (Row row : rows(small ? SMALL_DAY_SECONDS : DAY_SECONDS)) {
      if (words.isEmpty() || words.contains(row.name())) {
        RowResult measured = MeasuredRow.of(row, Size.SMALL, "benchmarks/jparc " + row.name(), out);
        if (!small) {
          results.put(measured);
          new Notebook(Path.of("results/notebook.md"), "benchmarks/jparc")
              .write(results.all(), DetailTable::of);
        }
      }
    }
  }

  /** Returns all rows. */
  static List<Row> rows(int daySeconds) {
    List<Row> rows = new ArrayList<>();
    for (ValueKind values : ValueKind.values()) {
      rows.add(new MatrixRow(new SimulatedDays(values, CHANNELS_OF_MATRIX, 1, daySeconds)));
    }
    rows.add(new DaysRow(new SimulatedDays(ValueKind.RANDOM, CHANNELS_OF_DAYS, DAYS, daySeconds)));
    return rows;
  }
}
