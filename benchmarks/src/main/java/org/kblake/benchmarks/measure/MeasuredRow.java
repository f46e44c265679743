package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;

/** Measures a row, and the load of the machine by other processes meanwhile. */
public final class MeasuredRow {

  private MeasuredRow() {}

  /**
   * Runs in the directory benchmarks.
   *
   * @param command the command that repeats the measurement
   * @param out receives each figure when it is measured
   */
  public static RowResult of(Row row, Size size, String command, PrintStream out)
      throws IOException, InterruptedException {
    if (System.getProperty("kblake.benchmarks.days") == null) {
      System.setProperty("kblake.benchmarks.days", Double.toString(size.days()));
    }
    Measurement measurement = new Measurement(size, Path.of("peers").toAbsolutePath(), out);
    out.printf("%s%n", heading(row.number(), row.title()));
    Load.Watch watch = new Load.Watch();
    List<Line> lines = row.measure(measurement);
    Load load = watch.end();
    out.printf("  %s%n", load.text());
    return new RowResult(
        row.number(),
        row.name(),
        row.title(),
        row.data(measurement),
        command,
        LocalDate.now(ZoneOffset.UTC).toString(),
        MeasuredMachine.here(BenchmarkData.directory()),
        load,
        measurement.versions(),
        measurement.proofs(),
        lines,
        measurement.details());
  }

  /** Returns the title, with the row's number if it has one. */
  static String heading(int number, String title) {
    return number == 0 ? title : number + ". " + title;
  }
}
