package org.kblake.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
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
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.simulate.Preset;

/**
 * Prints the size of the columns of rf-year or superkekb in bytes per event, by kind of channel and
 * by column. The sizes are read from the files' footers. Beside times and values is an estimate of
 * their entropy, and beside times their least size as DELTA_BINARY_PACKED. The sizes of everything
 * beside the columns follow.
 */
public final class StoredBytes {

  private static final List<String> COLUMNS =
      List.of("time", "value", "segment", "lateness", "tie");

  /** The bytes of a Parquet file that are no page, page index or footer. */
  private static final int FRAME_BYTES = 12;

  private final Preset preset;
  private final double scale;
  private final Map<String, String> kindOfChannel;
  private final Map<String, Sums> sums = new TreeMap<>();
  private final Sums all = new Sums();
  private final Map<String, Long> beside = new TreeMap<>();
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

  private StoredBytes(Preset preset, double scale) {
    this.preset = preset;
    this.scale = scale;
    kindOfChannel = PlannedKinds.of(preset, scale);
  }

  /** Prints the table, see benchmarks/stored-bytes. */
  public static void main(String[] args) throws IOException {
    Preset preset = args.length > 0 ? preset(args[0]) : Preset.RF_YEAR;
    double scale = args.length > 1 ? Double.parseDouble(args[1]) : 1;
    new StoredBytes(preset, scale).print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
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
    if (preset == Preset.RF_YEAR && scale == 1) {
      return BenchmarkData.rfYear();
    }
    return BenchmarkData.simulated(preset, scale, BenchmarkData.days());
  }

  private void print(PrintStream out) throws IOException {
    Path archive = archive();
    Path store = BenchmarkData.store(archive);
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        fileBytes += Files.size(file);
        if (file.toString().endsWith(".parquet")) {
          read(file);
        } else if (file.toString().endsWith(".kb")) {
          beside.merge(file.getFileName().toString(), Files.size(file), Long::sum);
        }
      }
    }
    StoredEntropy entropy = StoredEntropy.of(store, kindOfChannel);
    out.println(
        "| kind | events | time | least | entropy | value | entropy | segment | lateness | tie |"
            + " rest | all |");
    out.println("|---|" + "---:|".repeat(11));
    sums.forEach((kind, of) -> row(out, kind, of, kind, entropy));
    row(out, "all", all, null, entropy);
    out.println();
    beside.forEach(
        (what, bytes) ->
            out.printf(Locale.ROOT, "%s: %.2f bytes per event.%n", what, per(bytes, all.events)));
    double logBytes = logBytes(archive);
    out.printf(
        Locale.ROOT,
        "Beside the columns: %.2f bytes per event.%n"
            + "Stored %.0f MiB of %.0f MiB of log, %.3f of it, %.2f bytes per event.%n",
        per((double) fileBytes, all.events) - all.perEvent(),
        fileBytes / 1048576.0,
        logBytes / 1048576.0,
        fileBytes / logBytes,
        per((double) fileBytes, all.events));
  }

  private static double per(double bytes, long events) {
    return bytes / Math.max(1, events);
  }

  private static void row(
      PrintStream out, String kind, Sums of, @Nullable String row, StoredEntropy entropy) {
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
        kind,
        of.events,
        of.perEvent("time"),
        per(entropy.deltaBytes(row), of.events),
        per(entropy.timeBytes(row), of.events),
        of.perEvent("value"),
        per(entropy.valueBytes(row), of.events),
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
    long pageBytes = 0;
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
        pageBytes +=
            rowGroup.getColumns().stream().mapToLong(ColumnChunkMetaData::getTotalSize).sum();
      }
    }
    long footer = footerBytes(file);
    beside.merge("footers", footer, Long::sum);
    beside.merge("page indexes", Files.size(file) - FRAME_BYTES - footer - pageBytes, Long::sum);
  }

  /** Returns the length of a file's footer, which is the number before the last four bytes. */
  private static long footerBytes(Path file) throws IOException {
    ByteBuffer end = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    try (FileChannel channel = FileChannel.open(file)) {
      channel.read(end, channel.size() - end.capacity());
    }
    return end.getInt(0);
  }
}
