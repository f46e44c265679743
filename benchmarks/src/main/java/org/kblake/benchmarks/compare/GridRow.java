package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.RandomDoubles;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.query.ArchiveReader;
import org.kblake.query.GridReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.Source;

/**
 * Values held at the points of a grid whose step is longer than, equal to, or shorter than the
 * interval of events.
 */
final class GridRow implements Row {

  private static final int JITTER_NANOS = 900_000;

  /** Grids are read for this time before they are counted, so that all code is compiled. */
  private static final long UNCOUNTED_NANOS = 1_500_000_000L;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  /**
   * The aim is the sum of a time per point of a channel, and a time per event in the pages with
   * values of points.
   */
  private static final double POINT_NANOS = 50;

  private static final double EVENT_NANOS = 12;

  /** The aim per point of a channel whose events are further apart than the points. */
  private static final double SPARSE_POINT_NANOS = 20;

  /** The step of the grid, for events a second apart. */
  private enum Density {
    DENSE("4 events a point", Duration.ofSeconds(4), 4),
    EQUAL("an event a point", Duration.ofSeconds(1), 1),
    SPARSE("an event in 10 points", Duration.ofMillis(100), 0.1);

    private final String text;
    private final Duration step;
    private final double eventsOfPoint;

    Density(String text, Duration step, double eventsOfPoint) {
      this.text = text;
      this.step = step;
      this.eventsOfPoint = eventsOfPoint;
    }

    Aim aim() {
      return Aim.atMost(
          this == SPARSE ? SPARSE_POINT_NANOS : POINT_NANOS + EVENT_NANOS * eventsOfPoint);
    }
  }

  @Override
  public int number() {
    return 14;
  }

  @Override
  public String name() {
    return "grid";
  }

  @Override
  public String title() {
    return "Values held on a grid, CPU time of one thread";
  }

  @Override
  public String data(Measurement measurement) {
    return "random doubles at 1 Hz with up to 0.9 ms of jitter, seed 1, in the page cache: "
        + Numbers.plain(seconds(measurement, 1))
        + " s of 1 channel, "
        + Numbers.plain(seconds(measurement, 30))
        + " s of 30, "
        + Numbers.plain(seconds(measurement, 1_000))
        + " s of 1,000; the values of all channels at every point are read; CPU time of the"
        + " thread divided by points times channels";
  }

  private static int seconds(Measurement measurement, int channels) {
    return switch (channels) {
      case 1 -> measurement.size().choose(2_000, 500_000, 5_000_000);
      case 30 -> measurement.size().choose(200, 50_000, 500_000);
      default -> measurement.size().choose(20, 5_000, 20_000);
    };
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException {
    List<Line> lines = new ArrayList<>();
    for (int channels : new int[] {1, 30, 1_000}) {
      int seconds = seconds(measurement, channels);
      RandomDoubles data =
          new RandomDoubles(channels, Duration.ofSeconds(seconds), JITTER_NANOS, false);
      Path archive = data.archive();
      try (ArchiveReader reader =
          ArchiveReader.builder().archive(archive).store(BenchmarkData.store(archive)).open()) {
        for (Density density : Density.values()) {
          Figure ours = figure(measurement, reader, density, channels, seconds, Source.STORE);
          Figure raw = figure(measurement, reader, density, channels, seconds, Source.RAW);
          String what = channels + (channels == 1 ? " channel, " : " channels, ") + density.text;
          lines.add(measurement.line(new Line(what, ours, null, density.aim())));
          lines.add(
              measurement.line(
                  Line.of(what, ours, raw.named("the same from raw"), Aim.timesBetter(1))));
        }
      }
    }
    return lines;
  }

  /** Returns nanoseconds per point and channel. */
  private static Figure figure(
      Measurement measurement,
      ArchiveReader reader,
      Density density,
      int channels,
      int seconds,
      Source source)
      throws IOException {
    Instant start = Instant.ofEpochSecond(0, RandomDoubles.beginNanos());
    // A grid of dense points needs fewer seconds.
    long length = density == Density.SPARSE ? Math.max(1, seconds / 5) : seconds;
    GridQuery query =
        GridQuery.of(
                ChannelSelection.all(RandomDoubles.GROUP),
                start,
                start.plusSeconds(length - 1),
                density.step)
            .from(source);
    double points = (double) query.points() * channels;
    List<Double> samples = new ArrayList<>();
    long uncounted = measurement.size().choose(0L, UNCOUNTED_NANOS, UNCOUNTED_NANOS);
    while (uncounted > 0) {
      uncounted -= nanosOf(reader, query);
    }
    for (int i = 0; i < measurement.size().choose(1, 5, 7); i++) {
      samples.add(nanosOf(reader, query) / points);
    }
    return Figure.of("grid", Unit.NANOSECONDS_PER_POINT, samples);
  }

  private static long nanosOf(ArchiveReader reader, GridQuery query) throws IOException {
    long begin = THREADS.getCurrentThreadCpuTime();
    read(reader, query);
    return THREADS.getCurrentThreadCpuTime() - begin;
  }

  private static void read(ArchiveReader reader, GridQuery query) throws IOException {
    long bits = 0;
    try (GridReader grid = reader.grid(query)) {
      int channels = grid.channels().size();
      while (grid.next()) {
        for (int channel = 0; channel < channels; channel++) {
          if (grid.isKnown(channel)) {
            bits += grid.columns(channel).values[grid.row(channel)];
          }
        }
      }
    }
    if (bits == 0) {
      throw new IllegalStateException("a grid without values: " + query);
    }
  }
}
