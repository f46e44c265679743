package org.kblake.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.Preset;

/**
 * Prints the size of the columns of rf-year or superkekb in bytes per event, by kind of channel and
 * by column: the tables of docs/store-format.md. The sizes are read from the files' footers. Beside
 * times and values is an estimate of their entropy.
 */
public final class StoredBytes {

  private static final List<String> COLUMNS =
      List.of("time", "value", "segment", "lateness", "tie");

  /** The fraction of the channels of superkekb. */
  private static final double SUPERKEKB_SCALE = 0.02;

  private final Preset preset;
  private final Map<String, String> kindOfChannel;
  private final Map<String, Sums> sums = new TreeMap<>();
  private final Sums all = new Sums();
  private long fileBytes;

  /**
   * The number of events, and the bytes of each column. Columns without a sum of their own are in
   * "rest".
   */
  private static final class Sums {
    private final Map<String, Long> bytes = new TreeMap<>();
    private long events;

    void add(BlockMetaData rowGroup) {
      events += rowGroup.getRowCount();
      for (ColumnChunkMetaData column : rowGroup.getColumns()) {
        String name = column.getPath().toArray()[0];
        bytes.merge(COLUMNS.contains(name) ? name : "rest", column.getTotalSize(), Long::sum);
      }
    }

    double perEvent(String column) {
      return (double) bytes.getOrDefault(column, 0L) / Math.max(1, events);
    }

    double perEvent() {
      return (double) bytes.values().stream().mapToLong(Long::longValue).sum()
          / Math.max(1, events);
    }
  }

  private StoredBytes(Preset preset) {
    this.preset = preset;
    kindOfChannel = PlannedKinds.of(preset, preset == Preset.RF_YEAR ? 1 : SUPERKEKB_SCALE);
  }

  /** Prints the table, see benchmarks/stored-bytes. */
  public static void main(String[] args) throws IOException {
    Preset preset = args.length > 0 ? preset(args[0]) : Preset.RF_YEAR;
    new StoredBytes(preset).print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
  }

  private static Preset preset(String text) {
    for (Preset preset : List.of(Preset.RF_YEAR, Preset.SUPERKEKB)) {
      if (preset.text().equals(text)) {
        return preset;
      }
    }
    throw new IllegalArgumentException("no such preset: " + text);
  }

  private Path archive() throws IOException {
    if (preset == Preset.RF_YEAR) {
      return BenchmarkData.rfYear();
    }
    return BenchmarkData.simulated(preset, SUPERKEKB_SCALE, BenchmarkData.days());
  }

  private void print(PrintStream out) throws IOException {
    Path archive = archive();
    Path store = BenchmarkData.store(archive);
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        fileBytes += Files.size(file);
        if (file.toString().endsWith(".parquet")) {
          read(file);
        }
      }
    }
    StoredEntropy entropy = StoredEntropy.of(store, kindOfChannel);
    out.println(
        "| kind | events | time | entropy | value | entropy | segment | lateness | tie | rest | all |");
    out.println("|---|" + "---:|".repeat(10));
    sums.forEach(
        (kind, of) -> row(out, kind, of, entropy.timeBytes(kind), entropy.valueBytes(kind)));
    row(out, "all", all, entropy.timeBytes(null), entropy.valueBytes(null));
    double beside = fileBytes - all.perEvent() * all.events;
    double logBytes = logBytes(archive);
    out.printf(
        Locale.ROOT,
        "%nBeside the columns (footers, directories, segments, patches): %.2f bytes per event.%n"
            + "Stored %.0f MiB of %.0f MiB of log, %.3f of it, %.2f bytes per event.%n",
        beside / all.events,
        fileBytes / 1048576.0,
        logBytes / 1048576.0,
        fileBytes / logBytes,
        (double) fileBytes / all.events);
  }

  private static void row(
      PrintStream out, String kind, Sums of, double timeEntropy, double valueEntropy) {
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
        kind,
        of.events,
        of.perEvent("time"),
        timeEntropy / of.events,
        of.perEvent("value"),
        valueEntropy / of.events,
        of.perEvent("segment"),
        of.perEvent("lateness"),
        of.perEvent("tie"),
        of.perEvent("rest"),
        of.perEvent());
  }

  /** Returns the name of the channels of a type that share row groups. */
  static String shared(ValueType type, boolean waveform) {
    return "shared, " + type.name().toLowerCase(Locale.ROOT) + (waveform ? "-waveform" : "");
  }

  private static double logBytes(Path archive) throws IOException {
    double bytes = 0;
    try (Stream<Path> files = Files.walk(archive)) {
      for (Path file : (Iterable<Path>) files.filter(it -> it.toString().endsWith("2"))::iterator) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private void read(Path file) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(file), options)) {
      for (BlockMetaData rowGroup : reader.getRowGroups()) {
        Statistics<?> names = rowGroup.getColumns().get(0).getStatistics();
        boolean one = names.minAsString().equals(names.maxAsString());
        String kind =
            one
                ? kindOfChannel.getOrDefault(names.minAsString(), "unknown")
                : "shared, " + file.getFileName().toString().replace(".parquet", "");
        sums.computeIfAbsent(kind, absent -> new Sums()).add(rowGroup);
        all.add(rowGroup);
      }
    }
  }
}
