package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RangeBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Peer;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;

/** The export of a year of a channel as text. */
final class ExportRow implements Row {

  @Override
  public int number() {
    return 9;
  }

  @Override
  public String name() {
    return "export";
  }

  @Override
  public String title() {
    return "Export of a channel-year as CSV";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01, "
        + Numbers.plain(BenchmarkData.yearDays())
        + " days, seed 1, one channel, in the page cache; for kblake the whole command is measured, for DuckDB the statement"
        + " alone";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = BenchmarkData.year();
    Path store = BenchmarkData.store(archive);
    String channel = RangeBenchmark.readPeriod().channel();
    Path file = measurement.data().resolve("export.csv");
    List<String> command =
        Commands.kblake(
            measurement.size(),
            "get",
            "-q",
            "--archive",
            archive.toString(),
            "--store",
            store.toString(),
            "--from",
            "1990-01-02",
            "--to",
            "2100",
            "-o",
            file.toString(),
            channel);
    Figure ours =
        Figure.of(
            "kblake",
            Unit.SECONDS,
            Repeat.millis(
                measurement.size().choose(0, 1, 2),
                measurement.size().choose(1, 5, 9),
                () -> Commands.run(command)));
    List<String> words =
        new ArrayList<>(
            List.of("export_duckdb.py", channel, measurement.data() + "/export-duckdb.csv"));
    BenchmarkData.parquetFiles(store, "double").forEach(it -> words.add(it.toString()));
    Peer duck = measurement.peer(words.toArray(String[]::new)).ask();
    Figure seconds = ours.as(Unit.SECONDS, millis -> millis / 1e3);
    double mebibytes = Files.size(file) / 0x1p20;
    Files.delete(file);
    return List.of(
        measurement.line(
            Line.of(
                String.format("%,.0f MiB of CSV", mebibytes),
                seconds,
                seconds(duck.figure("one", "DuckDB COPY, one thread", Unit.SECONDS)),
                Aim.timesBetter(1))),
        measurement.line(
            Line.of(
                String.format("%,.0f MiB of CSV", mebibytes),
                seconds,
                seconds(duck.figure("all", "DuckDB COPY, all threads", Unit.SECONDS)),
                Aim.timesBetter(1))));
  }

  private static Figure seconds(Figure millis) {
    return millis.as(Unit.SECONDS, value -> value / 1e3);
  }
}
