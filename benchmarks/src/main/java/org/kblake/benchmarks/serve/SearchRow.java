package org.kblake.benchmarks.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.simulate.Preset;

/** Searches among 100,000 names, one after another, as a user types. */
final class SearchRow implements Row {

  /** The superkekb preset has 88,117 channels. */
  private static final double SCALE = 1.14;

  private static final double DAYS = 0.007;
  private static final double MAX_MILLIS = 10;

  /** The typed typed of a name: from three characters up to this number. */
  private static final int MAX_TYPED = 12;

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "search";
  }

  @Override
  public String title() {
    return "Search among 100,000 names";
  }

  @Override
  public String data(Measurement measurement) {
    return "superkekb, scale "
        + scale(measurement)
        + ", seed 1; parts of 3 to "
        + MAX_TYPED
        + " characters of random names, one request after another; samples are rounds of "
        + searches(measurement)
        + " searches";
  }

  private static double scale(Measurement measurement) {
    return measurement.size().choose(0.01, SCALE, SCALE);
  }

  private static int searches(Measurement measurement) {
    return measurement.size().choose(10, 1_000, 1_000);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = BenchmarkData.simulated(Preset.SUPERKEKB, scale(measurement), DAYS);
    List<String> names = names(archive);
    SplittableRandom random = new SplittableRandom(1);
    List<Double> first = new ArrayList<>();
    List<Double> half = new ArrayList<>();
    List<Double> most = new ArrayList<>();
    try (ServedProcess server = new ServedProcess(measurement.size(), archive, null)) {
      first.add(server.nanos("/api/v1/channels?search=a") / 1e6);
      int rounds = measurement.size().choose(1, 5, 5);
      for (int round = -1; round < rounds; round++) {
        Latencies latencies = new Latencies();
        for (int i = 0; i < searches(measurement); i++) {
          String words = typed(names.get(random.nextInt(names.size())), random);
          latencies.add(server.nanos("/api/v1/channels?search=" + ServedProcess.encoded(words)));
        }
        if (round >= 0) {
          half.add(latencies.percentile(50));
          most.add(latencies.percentile(99));
        }
      }
    }
    return List.of(
        measurement.line(
            Line.of("half of the searches", Figure.of("kblake", Unit.MILLISECONDS, half))),
        measurement.line(
            new Line(
                "99 % of the searches",
                Figure.of("kblake", Unit.MILLISECONDS, most), null, Aim.atMost(MAX_MILLIS))),
        measurement.line(
            Line.of(
                "the first search, which reads the names",
                Figure.of("kblake", Unit.MILLISECONDS, first))));
  }

  private static List<String> names(Path archive) throws IOException {
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).open()) {
      return reader.channels(ChannelSelection.glob("*"), TimeRange.ALL).stream()
          .map(info -> info.channel().name())
          .toList();
    }
  }

  private static String typed(String name, SplittableRandom random) {
    int typed = Math.min(name.length(), random.nextInt(3, MAX_TYPED + 1));
    int from = random.nextInt(name.length() - typed + 1);
    return name.substring(from, from + typed);
  }
}
