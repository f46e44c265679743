package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.List;
import org.kblake.benchmarks.BackfillBenchmark;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.ScatterBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;

/**
 * The speed of a backfill, beside scan and scatter alone. The difference is the cost of encoding,
 * writing and forcing.
 */
final class BackfillRow implements Row {

  private static final int CORES = 2;

  @Override
  public int number() {
    return 3;
  }

  @Override
  public String name() {
    return "backfill";
  }

  @Override
  public String title() {
    return "Backfill, per core";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, " + Numbers.plain(BenchmarkData.days()) + " days, seed 1, in the page cache";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException {
    double mebibytes = BenchmarkData.logBytes(BenchmarkData.rfYear()) / 0x1p20;
    Figure scatter =
        measurement
            .kernel(ScatterBenchmark.class, "scatter")
            .millis()
            .named("scan and scatter alone, one core")
            .asRateOf(BenchmarkData.rfYearPair().logBytes() / 0x1p20);
    Figure one =
        measurement
            .kernel(BackfillBenchmark.class, "backfill")
            .with("threads", 1)
            .millis()
            .asRateOf(mebibytes);
    Figure two =
        measurement
            .kernel(BackfillBenchmark.class, "backfill")
            .with("threads", CORES)
            .millis()
            .asRateOf(mebibytes / CORES);
    return List.of(
        measurement.line(Line.of("2 threads, per core", two, scatter, Aim.timesBetter(0.4))),
        measurement.line(new Line("2 threads, per core, gate", two, null, Aim.atLeast(150))),
        measurement.line(new Line("2 threads, per core, goal", two, null, Aim.atLeast(250))),
        measurement.line(Line.of("1 thread", one, scatter, Aim.NONE)));
  }
}
