package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.kblake.benchmarks.BenchmarkData;
import org.kblake.benchmarks.compare.ConcurrentReaders.Reads;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.ColdFiles;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Numbers;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Size;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;
import org.kblake.query.ArchiveReader;
import org.kblake.simulate.Preset;

/** Many concurrent readers, with and without a backfill at the same time. */
final class ConcurrentReadersRow implements Row {

  private static final int READERS = 64;

  /** The number of runs of each kind, which take turns. */
  private static final int TURNS = 3;

  private static final Map<String, Duration> CLASSES =
      Map.of(
          "1 minute", Duration.ofMinutes(1),
          "1 hour", Duration.ofHours(1),
          "all", Duration.ofDays(3_650));

  @Override
  public int number() {
    return 12;
  }

  @Override
  public String name() {
    return "crowd";
  }

  @Override
  public String title() {
    return "64 readers at once beside a backfill, 31 groups at once";
  }

  @Override
  public String data(Measurement measurement) {
    return "superkekb, scale 0.02, "
        + Numbers.plain(days(measurement))
        + " days, seed 1, all of it in columns, warm; readers are threads of one process that begin each read at the same time, each of"
        + " a random channel and time, seed 1; their times contain the waiting for a processor; the backfill is `kblake backfill --threads 1` of the same archive into"
        + " another store, repeated until the readers end";
  }

  private static double days(Measurement measurement) {
    return measurement.size().choose(0.02, 0.5, 5.0);
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    Preset preset = measurement.size().choose(Preset.DEMO, Preset.SUPERKEKB, Preset.SUPERKEKB);
    Path archive =
        BenchmarkData.simulated(
            preset, measurement.size().choose(0.1, 0.02, 0.02), days(measurement));
    Path store = BenchmarkData.store(archive);
    List<Group> groups = Archive.open(archive, ArchiveSettings.defaults()).groups();
    List<Path> files = files(store);
    List<Line> lines = new ArrayList<>();
    try (ArchiveReader reader =
        ArchiveReader.builder().archive(archive).store(store).withoutAdmission().open()) {
      ConcurrentReaders crowd =
          new ConcurrentReaders(
              reader, groups, days(measurement), measurement.size().choose(0.05, 1.0, 7.0));
      List<String> all = List.of("1 minute", "1 hour", "all");
      crowd.warmUp(List.copyOf(CLASSES.values()));
      double kept = Double.MAX_VALUE;
      for (String name : measurement.size().choose(all.subList(0, 1), all, all)) {
        Duration length = CLASSES.getOrDefault(name, Duration.ofHours(1));
        crowd.read(READERS, length, false);
        long resident = ColdFiles.residentBytes(files);
        lines.addAll(measure(measurement, crowd, name, length, archive, groups.size()));
        kept = Math.min(kept, ColdFiles.residentBytes(files) * 100.0 / resident);
      }
      if (measurement.size() != Size.TINY) {
        lines.add(
            measurement.line(
                new Line(
                    "share of the store's cached bytes that stay cached during a backfill",
                    Figure.of("kblake", Unit.PER_CENT, kept),
                    null,
                    Aim.atLeast(99))));
      }
    }
    return lines;
  }

  private static List<Line> measure(
      Measurement measurement,
      ConcurrentReaders crowd,
      String name,
      Duration length,
      Path archive,
      int groups)
      throws IOException, InterruptedException {
    List<Reads> alone = new ArrayList<>();
    List<Reads> many = new ArrayList<>();
    List<Reads> each = new ArrayList<>();
    for (int turn = 0; turn < TURNS; turn++) {
      alone.add(crowd.read(1, length, false));
      many.add(crowd.read(READERS, length, false));
      each.add(crowd.read(groups, length, true));
    }
    List<Reads> beside = new ArrayList<>();
    RepeatedBackfill backfill = new RepeatedBackfill(measurement, archive);
    try {
      for (int turn = 0; turn < TURNS; turn++) {
        beside.add(crowd.read(READERS, length, false));
      }
    } finally {
      backfill.stop();
    }
    String what = name + ", " + READERS + " readers";
    Figure oneReader = Reads.rate(alone).named("one reader");
    return List.of(
        measurement.line(
            Line.of(
                what + " and backfill, p99",
                Reads.percentile(beside, 99).named("kblake"),
                Reads.percentile(beside, 50).named("their median"),
                Aim.timesAtMost(5))),
        measurement.line(
            Line.of(
                what + " and backfill, reads",
                Reads.rate(beside),
                Reads.rate(many).named("without the backfill"),
                Aim.timesBetter(0.7))),
        measurement.line(Line.of(what + ", reads", Reads.rate(many), oneReader, Aim.NONE)),
        measurement.line(
            Line.of(
                name + ", " + groups + " groups at once, reads",
                Reads.rate(each),
                oneReader,
                Aim.NONE)));
  }

  private static List<Path> files(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(it -> it.toString().endsWith(".parquet")).toList();
    }
  }

  /** A backfill that is repeated until it is stopped. */
  private static final class RepeatedBackfill {

    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final AtomicBoolean stopped = new AtomicBoolean();
    private final Future<?> running;

    RepeatedBackfill(Measurement measurement, Path archive) {
      Path store = measurement.data().resolve("unfinished-crowd");
      List<String> command = Commands.backfill(measurement.size(), archive, store);
      running =
          executor.submit(
              () -> {
                do {
                  Commands.delete(store);
                  Commands.run(command);
                } while (!stopped.get());
                Commands.delete(store);
                return null;
              });
    }

    /** Waits for the end of the running backfill. */
    void stop() throws IOException, InterruptedException {
      stopped.set(true);
      try {
        running.get();
      } catch (ExecutionException e) {
        throw new IOException("backfill failed", e);
      } finally {
        executor.shutdown();
      }
    }
  }
}
