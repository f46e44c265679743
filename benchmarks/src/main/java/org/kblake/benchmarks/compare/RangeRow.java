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
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Run;
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
  public String data(Run run) {
    return "rf-year, scale 0.01 (10 channels), "
        + Numbers.plain(BenchmarkData.yearDays())
        + " days, seed 1; ranges at random, seed 1";
  }

  @Override
  public List<Line> measure(Run run) throws IOException, InterruptedException {
    Figure ours = run.kernel(RangeBenchmark.class, "read").millis();
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
        run.peer(words.toArray(String[]::new)).ask().figure("range", "DuckDB", Unit.MILLISECONDS);
    words.set(0, "range_pyarrow.py");
    Figure arrow =
        run.peer(words.toArray(String[]::new))
            .ask()
            .figure("range", "pyarrow.dataset", Unit.MILLISECONDS);
    return List.of(
        run.line(new Line("1,000 s", ours, null, Aim.atMost(1))),
        run.line(Line.of("1,000 s", ours, duck, Aim.timesBetter(10))),
        run.line(Line.of("1,000 s", ours, arrow, Aim.timesBetter(10))));
  }
}
