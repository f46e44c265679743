package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.MissBenchmark;
import org.kblake.query.question.Source;

/** What a store costs where it is of no use. */
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
  public String data(Run run) {
    return "rf-year, "
        + Numbers.plain(BenchmarkData.days())
        + " days, seed 1, the first half of it in columns; one channel's last third";
  }

  @Override
  public List<Line> measure(Run run) throws IOException {
    Figure ours = run.kernel(MissBenchmark.class, "read").with("source", Source.AUTO).millis();
    Figure raw = run.kernel(MissBenchmark.class, "read").with("source", Source.RAW).millis();
    return List.of(
        run.line(
            Line.of(
                "a channel's events, columns looked for first",
                ours,
                raw.named("plain raw scan"),
                Aim.timesAtMost(1.05))));
  }
}
