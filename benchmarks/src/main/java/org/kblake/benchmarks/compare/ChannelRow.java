package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.ChannelBenchmark;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.query.question.Source;

/** A read of one channel of many. */
final class ChannelRow implements Row {

  @Override
  public int number() {
    return 5;
  }

  @Override
  public String name() {
    return "channel";
  }

  @Override
  public String title() {
    return "One channel of 1,000, whole archive, warm";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, "
        + Numbers.plain(BenchmarkData.days())
        + " days, seed 1, all of it in columns, in the page cache";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException {
    List<Line> lines = new ArrayList<>();
    for (String values : List.of("dictionary", "byte-stream-split")) {
      double aim = values.equals("dictionary") ? 1_000 : 500;
      if (BenchmarkData.rfYearChannel(values) != null) {
        Figure ours = figure(measurement, values, Source.STORE);
        Figure raw = figure(measurement, values, Source.RAW).named("the same from raw");
        lines.add(
            measurement.line(
                Line.of("a channel of " + values + " values", ours, raw, Aim.timesBetter(aim))));
      }
    }
    return lines;
  }

  private static Figure figure(Measurement measurement, String values, Source source) {
    return measurement
        .kernel(ChannelBenchmark.class, "read")
        .with("values", values)
        .with("source", source)
        .millis();
  }
}
