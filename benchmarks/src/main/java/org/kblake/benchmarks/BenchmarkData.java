package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import org.kblake.core.log.Archive;
import org.kblake.core.log.ArchiveSettings;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.core.simulate.Preset;
import org.kblake.core.simulate.Simulation;
import org.kblake.core.simulate.SimulationListener;
import org.kblake.core.simulate.SimulationSettings;
import org.kblake.core.store.Block;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoreIdentity;
import org.kblake.core.store.parquet.WriteProfile;
import org.kblake.ingest.Backfill;
import org.kblake.ingest.BackfillListener;
import org.kblake.ingest.BackfillSettings;
import org.kblake.ingest.BackfillSummary;

/**
 * What is measured on: made once, below the directory {@code kblake.benchmarks.data}, and used
 * again. {@code kblake.benchmarks.days} says how much of rf-year, 1 if not set, which is 360 MB.
 */
final class BenchmarkData {

  /** The group of rf-year. */
  static final Group RF = new Group("RF", "AnalogData");

  /** The one group of {@link #doubles}. */
  static final Group DOUBLES = new Group("BM", "Doubles");

  /** The one channel of {@link #doubles}. */
  static final String CHANNEL = "BMLDCCT:CURRENT";

  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;

  private BenchmarkData() {}

  static double days() {
    return Double.parseDouble(System.getProperty("kblake.benchmarks.days", "1"));
  }

  private static Path directory() {
    return Path.of(System.getProperty("kblake.benchmarks.data", "target/data"));
  }

  /** Makes a directory of its content; a directory that is not complete is none. */
  @FunctionalInterface
  private interface Maker {
    void make(Path unfinished) throws IOException, InterruptedException;
  }

  private static Path made(String name, Maker maker) throws IOException {
    Path directory = Files.createDirectories(directory()).toAbsolutePath();
    Path complete = directory.resolve(name);
    if (!Files.exists(complete)) {
      Path unfinished = Files.createTempDirectory(directory, "unfinished-");
      try {
        maker.make(unfinished);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
      Files.move(unfinished, complete);
    }
    return complete;
  }

  /** An archive of rf-year. */
  static Path rfYear() throws IOException {
    return made(
        "rf-year-" + days(),
        root ->
            Simulation.run(
                SimulationSettings.of(Preset.RF_YEAR, root).days(days()), SimulationListener.NONE));
  }

  /**
   * An archive of one channel of doubles at 1 Hz with jitter.
   *
   * @param quantised whether values are readings of a converter, of which there are few, or a
   *     random walk, no value like another
   */
  static Path doubles(boolean quantised) throws IOException {
    int rows = (int) (4_000_000 * Math.min(1, days()));
    String name = (quantised ? "quantised-" : "walk-") + rows;
    return made(
        name,
        root -> {
          RecordEntry record = new RecordEntry(0, CHANNEL, ValueType.DOUBLE, 1);
          SplittableRandom random = new SplittableRandom(1);
          String stamp = "20160516000000";
          try (LogWriter writer =
              LogWriter.create(
                  root, DOUBLES, stamp, ByteOrder.BIG_ENDIAN, new RecordTable(List.of(record)))) {
            long nanos = BEGIN_NANOS;
            double walk = 500;
            for (int row = 0; row < rows; row++) {
              if (row % 3_600 == 0) {
                writer.milestone(nanos);
              }
              nanos += 999_000_000 + random.nextInt(2_000_000);
              walk += random.nextDouble() - 0.5;
              double value = quantised ? Math.rint(walk % 8 * 64) / 64 : walk;
              writer.number(0, nanos, 0, 0, Double.doubleToRawLongBits(value));
            }
          }
          for (String ending : List.of("log1", "log2")) {
            Files.setLastModifiedTime(
                root.resolve("BM/Doubles_" + stamp + "." + ending),
                FileTime.from(Instant.parse("2020-01-01T00:00:00Z")));
          }
        });
  }

  /** Columns of an archive. */
  static Path store(Path archive, WriteProfile profile) throws IOException {
    return made(
        archive.getFileName() + (profile.lake() ? "-lake" : "-store"),
        store -> backfill(archive, store, profile));
  }

  /** Columns as they are by default. */
  static Path store(Path archive) throws IOException {
    return store(archive, WriteProfile.STANDARD);
  }

  /** Transcodes an archive with one thread and the default budget. */
  static BackfillSummary backfill(Path archive, Path store, WriteProfile profile)
      throws IOException, InterruptedException {
    Archive from = Archive.open(archive, ArchiveSettings.defaults());
    StoreIdentity identity =
        StoreIdentity.of(
            from.root(),
            from.settings().zone().getId(),
            from.settings().disorderBoundNanos(),
            "kekblog",
            profile.lake() ? "lake" : "standard");
    BackfillSettings settings =
        new BackfillSettings(List.of(), TimeRange.ALL, 1, 512L << 20, 0, profile);
    try (Store to = Store.openForWriting(store, identity)) {
      return new Backfill(from, to, settings, new Failing()).run();
    }
  }

  /** What is measured on has no problems. */
  private static final class Failing implements BackfillListener {
    @Override
    public void planned(long rawBytes) {}

    @Override
    public void scanned(Group group, long rawBytes, long events) {}

    @Override
    public void committed(Block block, long storedBytes) {}

    @Override
    public void problem(Group group, String message) {
      throw new IllegalStateException(group + ": " + message);
    }
  }

  /** The last pair of rf-year. */
  static PairLog rfYearPair() throws IOException {
    Archive archive = Archive.open(rfYear(), ArchiveSettings.defaults());
    return archive.pairs(RF).get(archive.pairs(RF).size() - 1).open();
  }
}
