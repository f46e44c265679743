package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RangeBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;

/** Reads of a thousand seconds from a year, as a user requests them by zooming into a plot. */
final class RangeRow implements Row {

  @Override
  public int number() {
    return 6;
  }

  @Override
  public String name() {
    return "range";
  }

  @Override
  public String title() {
    return "1,000 s out of a year of one channel, warm, open reader";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01 (10 channels), "
        + Numbers.plain(BenchmarkData.yearDays())
        + " days, seed 1; ranges at random, seed 1";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Figure ours = measurement.kernel(RangeBenchmark.class, "read").millis();
    Path store = BenchmarkData.store(BenchmarkData.year());
    RangeBenchmark.ReadPeriod asked = RangeBenchmark.readPeriod();
    List<String> words =
        new ArrayList<>(
            List.of(
                "range_duckdb.py",
                asked.channel(),
                Long.toString(asked.fromNanos()),
                Long.toString(asked.toNanos())));
    BenchmarkData.parquetFiles(store, "double").forEach(file -> words.add(file.toString()));
    Figure duck =
        measurement
            .peer(words.toArray(String[]::new))
            .ask()
            .figure("range", "DuckDB", Unit.MILLISECONDS);
    words.set(0, "range_pyarrow.py");
    Figure arrow =
        measurement
            .peer(words.toArray(String[]::new))
            .ask()
            .figure("range", "pyarrow.dataset", Unit.MILLISECONDS);
    return List.of(
        measurement.line(new Line("1,000 s", ours, null, Aim.atMost(1))),
        measurement.line(Line.of("1,000 s", ours, duck, Aim.timesBetter(10))),
        measurement.line(Line.of("1,000 s", ours, arrow, Aim.timesBetter(10))));
  }
}
