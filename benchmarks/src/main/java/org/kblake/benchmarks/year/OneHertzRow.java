package org.kblake.benchmarks.year;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Peer;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;

/** A year of one channel with an event each second. */
final class OneHertzRow implements Row {

  private static final int EVENTS_PER_DAY = 86_400;
  private static final double IN_PROCESS_SECONDS = 0.2;
  private static final double COMMAND_SECONDS = 1.2;
  private static final double CSV_TIMES = 2;
  private static final double PARQUET_TIMES = 1;

  private final int days;

  OneHertzRow(int days) {
    this.days = days;
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "one-hertz";
  }

  @Override
  public String title() {
    return "A year of one channel at 1 Hz";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%,d events of readings of a converter, seed 1, in a store after kblake compact; commands, DuckDB and"
            + " pyarrow write into a pipe that is read, with as many threads as each starts; a whole process of"
            + " DuckDB or pyarrow includes the start of Python",
        events());
  }

  private int events() {
    return days * EVENTS_PER_DAY;
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = BenchmarkData.doubles(true, events());
    Path store = BenchmarkData.store(archive);
    Commands.run(
        Commands.kblake(
            measurement.size(),
            "compact",
            "-q",
            "--archive",
            archive.toString(),
            "--store",
            store.toString()));
    List<String> words = new ArrayList<>(List.of("export_formats.py", BenchmarkData.CHANNEL));
    BenchmarkData.parquetFiles(store, "double").forEach(it -> words.add(it.toString()));
    Peer peers = measurement.peer(words.toArray(String[]::new)).ask();
    YearTimes times = new YearTimes(measurement, archive, store);
    try (YearReads reads = YearReads.ofAll(archive, store)) {
      times.inProcess(
          "Arrow", Aim.atMost(IN_PROCESS_SECONDS), () -> reads.events(BenchmarkData.CHANNEL));
    }
    List<YearTimes.Beside> arrow = new ArrayList<>();
    arrow.add(new YearTimes.Beside(null, Aim.atMost(COMMAND_SECONDS)));
    arrow.addAll(besides(peers, "arrow", "statement", Aim.NONE));
    times.command("Arrow", arrow, get("arrow"));
    times.command(
        "CSV", besides(peers, "csv", "COPY alone", Aim.timesBetter(CSV_TIMES)), get("csv"));
    times.command(
        "Parquet",
        besides(peers, "parquet", "COPY alone", Aim.timesBetter(PARQUET_TIMES)),
        get("parquet"));
    return times.lines();
  }

  /** Returns DuckDB's statement with the aim, and the whole processes of DuckDB and pyarrow. */
  private static List<YearTimes.Beside> besides(
      Peer peers, String format, String statement, Aim aim) {
    return List.of(
        new YearTimes.Beside(seconds(peers, "statement " + format, "DuckDB, " + statement), aim),
        new YearTimes.Beside(seconds(peers, "duckdb " + format, "DuckDB, whole process"), Aim.NONE),
        new YearTimes.Beside(
            seconds(peers, "pyarrow " + format, "pyarrow, whole process"), Aim.NONE));
  }

  private static Figure seconds(Peer peers, String sample, String of) {
    return peers.figure(sample, of, Unit.SECONDS).as(Unit.SECONDS, millis -> millis / 1e3);
  }

  private static String[] get(String format) {
    return new String[] {
      "get", "-f", format, "--from", "1990-01-02", "--to", "2100", BenchmarkData.CHANNEL
    };
  }
}
