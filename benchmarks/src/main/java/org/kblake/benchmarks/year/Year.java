package org.kblake.benchmarks.year;

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
import org.kblake.simulate.Preset;

/** Measures a year. See benchmarks/year. */
public final class Year {

  private static final int DAYS = 365;

  /** The share of all 88,117 channels: 11 GiB of log a year. */
  private static final double SCALE_OF_ALL_GROUPS = 0.005;

  private Year() {}

  /**
   * Runs in the directory benchmarks.
   *
   * @param args {@code --days N} for a shorter year, whose figures are printed but not kept; names
   *     of rows
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(args));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    int days = DAYS;
    int option = words.indexOf("--days");
    if (option >= 0) {
      days = Integer.parseInt(words.remove(option + 1));
      words.remove(option);
    }
    Results results = new Results(Path.of("results/year"));
    for (Row row : rows(days, 1)) {
      if (words.isEmpty() || words.contains(row.name())) {
        var measured = MeasuredRow.of(row, Size.SMALL, "benchmarks/year " + row.name(), out);
        if (days == DAYS) {
          results.put(measured);
          new Notebook(Path.of("results/notebook.md"), "benchmarks/year").write(results.all());
        }
      }
    }
  }

  /**
   * Returns the rows of a year.
   *
   * @param scale factor for the number of channels
   */
  static List<Row> rows(int days, double scale) {
    return List.of(
        new YearRow(Preset.RF_YEAR, scale, days),
        new OneHertzRow(days),
        new YearRow(Preset.SUPERKEKB, scale * SCALE_OF_ALL_GROUPS, days));
  }
}
