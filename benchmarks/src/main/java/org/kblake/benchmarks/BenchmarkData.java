package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.simulate.Preset;
import org.kblake.simulate.Simulation;
import org.kblake.simulate.SimulationListener;
import org.kblake.simulate.SimulationSettings;

/**
 * The archives and stores of the benchmarks. They are made once, below the directory {@code
 * kblake.benchmarks.data}, and reused. {@code kblake.benchmarks.days} is the number of days of
 * rf-year, by default 1, which is 360 MB.
 */
public final class BenchmarkData {

  /** The group of rf-year. */
  public static final Group RF = new Group("RF", "AnalogData");

  /** The group of {@link #doubles}. */
  public static final Group DOUBLES = new Group("BM", "Doubles");

  /** The channel of {@link #doubles}. */
  public static final String CHANNEL = "BMLDCCT:CURRENT";

  private static final double DAY_NANOS = 86_400e9;
  private static final long BEGIN_NANOS = 1_463_324_400_000_000_000L;

  private BenchmarkData() {}

  /** Returns the number of days of rf-year. */
  public static double days() {
    return Double.parseDouble(System.getProperty("kblake.benchmarks.days", "1"));
  }

  /** Returns the directory of the data. */
  public static Path directory() {
    return Path.of(System.getProperty("kblake.benchmarks.data", "target/data"));
  }

  /** Makes the contents of a directory. */
  @FunctionalInterface
  public interface Maker {
    /** Fills the directory. */
    void make(Path unfinished) throws IOException, InterruptedException;
  }

  /**
   * Returns the directory of a name, and makes it if it does not exist. While it is incomplete, it
   * has another name.
   */
  public static Path made(String name, Maker maker) throws IOException {
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

  /** Returns an archive of rf-year. */
  public static Path rfYear() throws IOException {
    return made(
        "rf-year-" + days(),
        root ->
            Simulation.run(
                SimulationSettings.of(Preset.RF_YEAR, root).days(days()), SimulationListener.NONE));
  }

  /** Returns an archive of a preset with seed 1. */
  public static Path simulated(Preset preset, double scale, double days) throws IOException {
    return made(
        preset.text() + "-x" + scale + "-" + days,
        root ->
            Simulation.run(
                SimulationSettings.of(preset, root).scale(scale).days(days),
                SimulationListener.NONE));
  }

  /** Returns the number of events of {@link #doubles}. */
  public static int doublesRows() {
    return (int) (4_000_000 * Math.min(1, days()));
  }

  /** Returns the number of days of {@link #year}. */
  public static double yearDays() {
    return Math.min(365, days() * 150);
  }

  /** Returns an archive of few channels and many days: rf-year with a hundredth of its channels. */
  public static Path year() throws IOException {
    return made(
        "year-" + yearDays(),
        root ->
            Simulation.run(
                SimulationSettings.of(Preset.RF_YEAR, root).scale(0.01).days(yearDays()),
                SimulationListener.NONE));
  }

  /**
   * Returns an archive of one channel of doubles at 1 Hz with jitter.
   *
   * @param quantised whether values are readings of an ADC, of which few are distinct; otherwise
   *     they are a random walk of distinct values
   */
  public static Path doubles(boolean quantised) throws IOException {
    return doubles(quantised, doublesRows());
  }

  /** Returns such an archive with a number of events of its own. */
  public static Path doubles(boolean quantised, int rows) throws IOException {
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

  /** Returns the store of an archive. */
  public static Path store(Path archive, WriteProfile profile) throws IOException {
    return made(
        archive.getFileName() + "-" + suffix(profile),
        store -> backfill(archive, store, profile, 1, TimeRange.ALL));
  }

  private static String suffix(WriteProfile profile) {
    if (profile.equals(WriteProfile.STANDARD)) {
      return "store";
    }
    return profile.codec().name().toLowerCase(Locale.ROOT) + (profile.lake() ? "-lake" : "-store");
  }

  /** Returns the store of an archive with the default profile. */
  public static Path store(Path archive) throws IOException {
    return store(archive, WriteProfile.STANDARD);
  }

  /** Returns the same store without rollups, so that trends are computed from events. */
  public static Path storeOfEvents(Path archive) throws IOException {
    Path whole = store(archive);
    return made(
        archive.getFileName() + "-events",
        store -> {
          try (Stream<Path> files = Files.walk(whole)) {
            for (Path file : (Iterable<Path>) files::iterator) {
              Path copy = store.resolve(whole.relativize(file).toString());
              if (Files.isDirectory(file)) {
                Files.createDirectories(copy);
              } else if (!file.endsWith(Rollups.FILE_NAME)) {
                Files.copy(file, copy);
              }
            }
          }
        });
  }

  /** Returns a store of the segments of rf-year that begin in its first half. */
  public static Path halfStore() throws IOException {
    Path archive = rfYear();
    long middleNanos = (long) (rfYearPairs().get(0).beginNanos() + days() / 2 * DAY_NANOS);
    TimeRange half = new TimeRange(Long.MIN_VALUE, middleNanos);
    return made(
        archive.getFileName() + "-half",
        store -> backfill(archive, store, WriteProfile.STANDARD, 1, half));
  }

  /** Backfills a range of an archive with the default budget of memory. */
  public static BackfillSummary backfill(
      Path archive, Path store, WriteProfile profile, int threads, TimeRange range)
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
        new BackfillSettings(List.of(), range, threads, 512L << 20, 0, profile);
    try (Store to = Store.openForWriting(store, identity)) {
      return new Backfill(from, to, settings, new Failing()).run();
    }
  }

  /** A listener that throws an exception for each problem. */
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

  /** Returns the last pair of rf-year. */
  public static PairLog rfYearPair() throws IOException {
    List<Pair> pairs = rfYearPairs();
    return pairs.get(pairs.size() - 1).open();
  }

  private static List<Pair> rfYearPairs() throws IOException {
    return Archive.open(rfYear(), ArchiveSettings.defaults()).pairs(RF);
  }

  /** Returns the begin of rf-year, nanoseconds since 1970 UTC. */
  public static long rfYearBeginNanos() throws IOException {
    return rfYearPairs().get(0).beginNanos();
  }

  /** Returns the size of all logs of an archive in bytes. */
  public static long logBytes(Path archive) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file :
          (Iterable<Path>) files.filter(it -> it.toString().endsWith(".log2"))::iterator) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  /** Returns the Parquet files of a store's scalars of a type, in the order of their blocks. */
  public static List<Path> parquetFiles(Path store, String type) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(it -> it.endsWith(type + ".parquet")).sorted().toList();
    }
  }

  /**
   * Returns a channel of rf-year that has its own row groups and whose values have an encoding,
   * from the middle of the list of such channels.
   *
   * @param encoding {@code dictionary} or {@code byte-stream-split}
   * @return null if there is no such channel
   */
  public static @Nullable String rfYearChannel(String encoding) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    Path first = parquetFiles(store(rfYear()), "double").get(0);
    List<String> channels = new ArrayList<>();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(first), options)) {
      for (BlockMetaData rowGroup : reader.getRowGroups()) {
        Statistics<?> names = rowGroup.getColumns().get(0).getStatistics();
        boolean one = names.minAsString().equals(names.maxAsString());
        if (one && isStored(rowGroup, encoding)) {
          channels.add(names.minAsString());
        }
      }
    }
    return channels.isEmpty() ? null : channels.get(channels.size() / 2);
  }

  private static boolean isStored(BlockMetaData rowGroup, String encoding) {
    for (ColumnChunkMetaData column : rowGroup.getColumns()) {
      if (column.getPath().toDotString().equals("value")) {
        return switch (encoding) {
          case "dictionary" -> column.hasDictionaryPage();
          case "byte-stream-split" -> column.getEncodings().contains(Encoding.BYTE_STREAM_SPLIT);
          default -> throw new IllegalArgumentException("unknown encoding: " + encoding);
        };
      }
    }
    return false;
  }
}
