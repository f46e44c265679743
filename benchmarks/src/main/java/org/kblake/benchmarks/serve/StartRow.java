package org.kblake.benchmarks.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;

/** The time from the start of {@code kblake serve} to the first byte of an answer. */
final class StartRow implements Row {

  private static final double MAX_MILLIS = 1_500;

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "start";
  }

  @Override
  public String title() {
    return "The start of kblake serve";
  }

  @Override
  public String data(Measurement measurement) {
    return "the store of the trends below; files in the page cache";
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = BenchmarkData.year();
    Path store = BenchmarkData.store(archive);
    List<Double> millis = new ArrayList<>();
    int starts = measurement.size().choose(1, 9, 9);
    for (int i = -1; i < starts; i++) {
      long begin = System.nanoTime();
      try (ServedProcess server = new ServedProcess(measurement.size(), archive, store);
          ServedConnection connection = server.connect()) {
        connection.request("/");
        // The first start makes the class archive.
        if (i >= 0) {
          millis.add((System.nanoTime() - begin) / 1e6);
        }
      }
    }
    return List.of(
        measurement.line(
            new Line(
                "first byte of the page",
                Figure.of("kblake", Unit.MILLISECONDS, millis),
                null,
                Aim.atMost(MAX_MILLIS))));
  }
}
