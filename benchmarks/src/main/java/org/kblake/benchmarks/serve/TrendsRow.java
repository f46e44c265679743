package org.kblake.benchmarks.serve;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.question.ChannelSelection;

/** Mixed trends of one client and of 64 at once, and the trends of a page. */
final class TrendsRow implements Row {

  private static final int CLIENTS = 64;
  private static final int TRACES = 20;
  private static final double MAX_TIMES = 5;

  /** Kinds of trends, by their range. */
  private enum Kind {
    HOUR(Duration.ofHours(1)),
    DAY(Duration.ofDays(1)),
    ALL(Duration.ofDays(365));

    private final Duration length;

    Kind(Duration length) {
      this.length = length;
    }
  }

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "trends";
  }

  @Override
  public String title() {
    return "Trends over HTTP";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "rf-year, scale 0.01, %.0f days, seed 1, in columns, in the page cache; requests of"
            + " /api/v1/trend with 800 bins of a random channel and a random hour, a random day,"
            + " or all of it, mixed; samples are rounds of %d s after one that is not counted",
        BenchmarkData.yearDays(),
        seconds(measurement));
  }

  private static int seconds(Measurement measurement) {
    return measurement.size().choose(1, 20, 60);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Path archive = BenchmarkData.year();
    Path store = BenchmarkData.store(archive);
    List<ChannelInfo> channels;
    TimeRange recorded;
    try (ArchiveReader reader = ArchiveReader.builder().archive(archive).store(store).open()) {
      channels = reader.channels(ChannelSelection.glob("*"), TimeRange.ALL);
      recorded =
          new TimeRange(
              reader.recorded(channels.get(0).channel()).fromNanos().orElseThrow(),
              reader.recorded(channels.get(0).channel()).toNanos().orElseThrow());
    }
    List<Line> lines = new ArrayList<>();
    try (ServedProcess server = new ServedProcess(measurement.size(), archive, store)) {
      Clients clients =
          new Clients(server, channels, recorded, Duration.ofSeconds(seconds(measurement)));
      clients.run(CLIENTS);
      int rounds = measurement.size().choose(1, 3, 3);
      Map<Kind, List<Double>> alone = new EnumMap<>(Kind.class);
      Map<Kind, List<Double>> half = new EnumMap<>(Kind.class);
      Map<Kind, List<Double>> most = new EnumMap<>(Kind.class);
      for (int round = 0; round < rounds; round++) {
        clients.run(1).forEach((kind, times) -> add(alone, kind, times.percentile(50)));
        Map<Kind, Latencies> many = clients.run(CLIENTS);
        many.forEach((kind, times) -> add(half, kind, times.percentile(50)));
        many.forEach((kind, times) -> add(most, kind, times.percentile(99)));
      }
      for (Kind kind : Kind.values()) {
        String what = kind.name().toLowerCase(Locale.ROOT);
        lines.add(
            measurement.line(Line.of(what + ", 1 client, 50 %", figure("50 %", alone, kind))));
        lines.add(
            measurement.line(
                Line.of(
                    what + ", " + CLIENTS + " clients, 99 %",
                    figure("99 %", most, kind),
                    figure("50 %", half, kind),
                    Aim.timesAtMost(MAX_TIMES))));
      }
      lines.add(measurement.line(page(measurement, server, channels, recorded)));
      lines.add(
          measurement.line(
              Line.of(
                  "largest resident memory of the server, with mapped files",
                  Figure.of("kblake", Unit.MEBIBYTES, server.peakMebibytes()))));
    }
    return lines;
  }

  /** Measures the trends of a page of many traces over all of the time, in one request. */
  private static Line page(
      Measurement measurement, ServedProcess server, List<ChannelInfo> channels, TimeRange recorded)
      throws IOException, InterruptedException {
    String names =
        channels.stream()
            .limit(TRACES)
            .map(info -> "channel=" + ServedProcess.encoded(info.channel().name()))
            .collect(Collectors.joining("&"));
    List<Double> millis = new ArrayList<>();
    for (int i = -3; i < measurement.size().choose(1, 9, 9); i++) {
      long nanos = server.nanos("/api/v1/trend?" + names + times(recorded) + "&bins=1920");
      if (i >= 0) {
        millis.add(nanos / 1e6);
      }
    }
    return Line.of(
        TRACES + " channels over all of it, at most 1,920 bins, one request",
        Figure.of("kblake", Unit.MILLISECONDS, millis));
  }

  private static void add(Map<Kind, List<Double>> samples, Kind kind, double sample) {
    samples.computeIfAbsent(kind, any -> new ArrayList<>()).add(sample);
  }

  private static Figure figure(String of, Map<Kind, List<Double>> samples, Kind kind) {
    return Figure.of(of, Unit.MILLISECONDS, samples.getOrDefault(kind, List.of()));
  }

  private static String times(TimeRange range) {
    return "&from=@"
        + range.fromNanos() / 1_000_000_000L
        + "&to=@"
        + range.toNanos() / 1_000_000_000L;
  }

  /** Clients that ask one trend after another. */
  private record Clients(
      ServedProcess server, List<ChannelInfo> channels, TimeRange recorded, Duration length) {

    /** Returns the latencies of all clients by kind. */
    Map<Kind, Latencies> run(int count) throws IOException, InterruptedException {
      Map<Kind, Latencies> measured = new EnumMap<>(Kind.class);
      for (Kind kind : Kind.values()) {
        measured.put(kind, new Latencies());
      }
      long end = System.nanoTime() + length.toNanos();
      ExecutorService threads = Executors.newFixedThreadPool(count);
      try {
        List<Callable<Void>> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          SplittableRandom random = new SplittableRandom(i);
          clients.add(
              () -> {
                do {
                  for (Kind kind : Kind.values()) {
                    measured.getOrDefault(kind, new Latencies()).add(ask(kind, random));
                  }
                } while (System.nanoTime() < end);
                return null;
              });
        }
        for (Future<Void> each : threads.invokeAll(clients)) {
          each.get();
        }
      } catch (ExecutionException e) {
        throw new IOException(e.getCause());
      } finally {
        threads.shutdownNow();
      }
      return measured;
    }

    private long ask(Kind kind, SplittableRandom random) throws IOException, InterruptedException {
      String name = channels.get(random.nextInt(channels.size())).channel().name();
      long all = recorded.toNanos() - recorded.fromNanos();
      long nanos = Math.min(all, kind.length.toNanos());
      long from = recorded.fromNanos() + random.nextLong(all - nanos + 1);
      return server.nanos(
          "/api/v1/trend?channel="
              + ServedProcess.encoded(name)
              + times(new TimeRange(from, from + nanos))
              + "&bins=800");
    }
  }
}
