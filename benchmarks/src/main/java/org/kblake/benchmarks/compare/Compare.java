package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;

/** Measures rows, keeps their results and writes the tables again. See benchmarks/compare. */
public final class Compare {

  private Compare() {}

  /**
   * Begins in the directory benchmarks.
   *
   * @param args {@code --full} perhaps, {@code --list} for the rows' numbers alone, {@code
   *     --tables} for the tables alone, and the number of a row
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
      results.put(measure(Rows.of(words.get(0)), size, out));
    }
    new PerformancePage(Path.of("../docs/PERFORMANCE.md")).write(results.all());
  }

  private static RowResult measure(Row row, Size size, PrintStream out)
      throws IOException, InterruptedException {
    if (System.getProperty("kblake.benchmarks.days") == null) {
      System.setProperty("kblake.benchmarks.days", Double.toString(size.days()));
    }
    Run run = new Run(size, Path.of("peers").toAbsolutePath(), out);
    out.printf("%d. %s%n", row.number(), row.title());
    Load.Watch watch = new Load.Watch();
    List<Line> lines = row.measure(run);
    Load load = watch.end();
    out.printf("  %s%n", load.text());
    return new RowResult(
        row.number(),
        row.name(),
        row.title(),
        row.data(run),
        "benchmarks/compare " + (size == Size.FULL ? "--full " : "") + row.number(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        MeasuredMachine.here(BenchmarkData.directory()),
        load,
        run.versions(),
        run.proofs(),
        lines,
        run.details());
  }
}
