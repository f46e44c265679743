package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.MissBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.query.question.Source;

/** The cost of a store for a range that no block covers. */
final class MissRow implements Row {

  @Override
  public int number() {
    return 13;
  }

  @Override
  public String name() {
    return "miss";
  }

  @Override
  public String title() {
    return "Miss: a range that no block covers";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, "
        + Numbers.plain(BenchmarkData.days())
        + " days, seed 1, the first half of it in columns; one channel's last third";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException {
    Figure ours =
        measurement.kernel(MissBenchmark.class, "read").with("source", Source.AUTO).millis();
    Figure raw =
        measurement.kernel(MissBenchmark.class, "read").with("source", Source.RAW).millis();
    return List.of(
        measurement.line(
            Line.of(
                "a channel's events, with a store",
                ours,
                raw.named("plain raw scan"),
                Aim.timesAtMost(1.05))));
  }
}
