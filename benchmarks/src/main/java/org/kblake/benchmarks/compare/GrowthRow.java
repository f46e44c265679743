package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.kblake.benchmarks.AnswerRows;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Repeat;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;

/** An archive of ten and a hundred times the length, beside the archive of single length. */
final class GrowthRow implements Row {

  private static final double SCALE = 0.01;
  private static final long RANGE_NANOS = Duration.ofSeconds(1_000).toNanos();
  private static final Aim AIM = Aim.timesAtMost(1.2);

  @Override
  public int number() {
    return 11;
  }

  @Override
  public String name() {
    return "growth";
  }

  @Override
  public String title() {
    return "Growth: the archive x 10 and x 100, beside itself at x 1";
  }

  @Override
  public String data(Measurement measurement) {
    return "rf-year, scale 0.01, "
        + Numbers.plain(days(measurement))
        + " days at x 1, seed 1, and a channel whose only event is on the first day; all of it in columns";
  }

  private static double days(Measurement measurement) {
    return measurement.size().choose(0.05, 3.0, 30.0);
  }

  /** The figures of an archive. */
  private record Measured(Figure open, Figure range, Figure held, Memory memory) {}

  /**
   * The memory of a backfill with the smallest budget.
   *
   * @param anonymous the peak that the system reports
   * @param program heap, rows and buffers, in another run
   * @param jvm the JVM's own memory, in that run
   */
  private record Memory(Figure anonymous, Figure program, Figure jvm) {}

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Measured one = measure(measurement, 1);
    List<Line> lines = new ArrayList<>();
    for (int times : measurement.size().choose(List.of(2), List.of(10, 100), List.of(10, 100))) {
      Measured many = measure(measurement, times);
      String name = "x " + times + ", ";
      lines.add(line(measurement, name + "open, and a first range", many.open(), one.open()));
      lines.add(line(measurement, name + "1,000 s of a channel", many.range(), one.range()));
      lines.add(
          line(measurement, name + "value held since the first day", many.held(), one.held()));
      Memory of = many.memory();
      Memory beside = one.memory();
      String backfill = name + "memory of a backfill";
      lines.add(line(measurement, backfill, of.anonymous(), beside.anonymous()));
      lines.add(
          line(
              measurement,
              backfill + ": heap, rows, buffers at the end",
              of.program(),
              beside.program(),
              Aim.NONE));
      lines.add(line(measurement, backfill + ": the JVM's own", of.jvm(), beside.jvm(), Aim.NONE));
    }
    return lines;
  }

  private static Line line(Measurement measurement, String what, Figure many, Figure one) {
    return line(measurement, what, many, one, AIM);
  }

  private static Line line(Measurement measurement, String what, Figure many, Figure one, Aim aim) {
    return measurement.line(Line.of(what, many, one.named("x 1"), aim));
  }

  private static Measured measure(Measurement measurement, int times)
      throws IOException, InterruptedException {
    double days = days(measurement) * times;
    Path archive = archive(days);
    Path store = BenchmarkData.store(archive);
    Pair first = Archive.open(archive, ArchiveSettings.defaults()).pairs(BenchmarkData.RF).get(0);
    long begin = first.beginNanos();
    long end = begin + (long) (days * Duration.ofDays(1).toNanos());
    ChannelSelection channel =
        ChannelSelection.names(first.open().records().entry(0).name()).in(BenchmarkData.RF);
    SplittableRandom random = new SplittableRandom(1);
    int count = measurement.size().choose(1, 15, 51);
    int uncounted = measurement.size().choose(0, 100, 100);
    try (BufferAllocator allocator = new RootAllocator()) {
      Repeat.Work open =
          () -> {
            try (ArchiveReader reader = open(archive, store)) {
              range(reader, channel, end - RANGE_NANOS, allocator);
            }
          };
      Figure opened = micros(Repeat.millis(uncounted, count, open));
      try (ArchiveReader reader = open(archive, store)) {
        Repeat.Work range =
            () -> range(reader, channel, random.nextLong(begin, end - RANGE_NANOS), allocator);
        HeldQuery query =
            HeldQuery.of(
                    ChannelSelection.names(QuietChannel.NAME).in(QuietChannel.GROUP),
                    Instant.ofEpochSecond(end / 1_000_000_000L))
                .lookBack(Duration.ofDays(Math.max(365, (long) days + 1)));
        Repeat.Work held =
            () -> {
              if (!reader.held(query).values().get(0).isKnown()) {
                throw new IOException("the value that was set on the first day is not known");
              }
            };
        return new Measured(
            opened,
            micros(Repeat.millis(10 * uncounted, 10 * count, range)),
            micros(Repeat.millis(10 * uncounted, 10 * count, held)),
            memory(measurement, archive));
      }
    }
  }

  private static ArchiveReader open(Path archive, Path store) throws IOException {
    return ArchiveReader.builder().archive(archive).store(store).open();
  }

  private static void range(
      ArchiveReader reader, ChannelSelection channel, long from, BufferAllocator allocator)
      throws IOException {
    AnswerRows.count(
        reader, EventQuery.of(channel).between(new TimeRange(from, from + RANGE_NANOS)), allocator);
  }

  private static Figure micros(List<Double> millis) {
    return Figure.of("kblake", Unit.MICROSECONDS, millis.stream().map(it -> it * 1e3).toList());
  }

  private static Memory memory(Measurement measurement, Path archive)
      throws IOException, InterruptedException {
    if (measurement.size() == Size.TINY) {
      Figure none = Figure.notMeasured("kblake", Unit.MEBIBYTES, "too little data");
      return new Memory(none, none, none);
    }
    Path store = measurement.data().resolve("unfinished-growth");
    List<String> backfill =
        Commands.backfill(measurement.size(), archive, store, "--memory", "16M");
    List<String> reporting = new ArrayList<>();
    reporting.add("env");
    reporting.add("KBLAKE_JAVA_OPTS=" + String.join(" ", NativeMemory.OPTIONS));
    reporting.addAll(backfill);
    List<Double> peaks = new ArrayList<>();
    List<Double> program = new ArrayList<>();
    List<Double> jvm = new ArrayList<>();
    for (int i = 0; i < measurement.size().choose(1, 2, 3); i++) {
      Commands.delete(store);
      peaks.add(Commands.peakMebibytes(backfill));
      Commands.delete(store);
      NativeMemory memory = NativeMemory.of(Commands.observed(reporting).output());
      program.add(memory.programBytes() / 0x1p20);
      jvm.add(memory.jvmBytes() / 0x1p20);
    }
    Commands.delete(store);
    return new Memory(
        Figure.of("kblake", Unit.MEBIBYTES, peaks),
        Figure.of("kblake", Unit.MEBIBYTES, program),
        Figure.of("kblake", Unit.MEBIBYTES, jvm));
  }

  private static Path archive(double days) throws IOException {
    return BenchmarkData.made(
        "growth-" + days,
        root -> {
          SimulationSettings settings =
              SimulationSettings.of(Preset.RF_YEAR, root).scale(SCALE).days(days);
          Simulation.run(settings, SimulationListener.NONE);
          QuietChannel.write(root, settings.start(), settings.length());
        });
  }
}
