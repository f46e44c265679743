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
import org.kblake.simulate.Preset;

/**
 * Prints what the columns of rf-year take, by kind of channel and by column, bytes per event: the
 * table of docs/store-format.md. Read out of the files' footers.
 */
public final class StoredBytes {

  private static final List<String> COLUMNS =
      List.of("time", "value", "segment", "lateness", "tie");

  private final Map<String, String> kindOfChannel = PlannedKinds.of(Preset.RF_YEAR);
  private final Map<String, Sums> sums = new TreeMap<>();
  private final Sums all = new Sums();
  private long fileBytes;

  /** Events, and bytes by column; what is in no other column's sum is in "rest". */
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

  private StoredBytes() {}

  /** See benchmarks/stored-bytes. */
  public static void main(String[] args) throws IOException {
    new StoredBytes().print(new PrintStream(System.out, true, StandardCharsets.UTF_8));
  }

  private void print(PrintStream out) throws IOException {
    Path archive = BenchmarkData.rfYear();
    Path store = BenchmarkData.store(archive);
    try (Stream<Path> files = Files.walk(store)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        fileBytes += Files.size(file);
        if (file.toString().endsWith(".parquet")) {
          read(file);
        }
      }
    }
    out.printf("| kind | events | %s | rest | all |%n", String.join(" | ", COLUMNS));
    out.println("|---|---:|".repeat(COLUMNS.size() + 3));
    sums.forEach((kind, of) -> row(out, kind, of));
    row(out, "all", all);
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

  private static void row(PrintStream out, String kind, Sums of) {
    StringBuilder cells = new StringBuilder();
    for (String column : COLUMNS) {
      cells.append(String.format(Locale.ROOT, "%.2f | ", of.perEvent(column)));
    }
    out.printf(
        Locale.ROOT,
        "| %s | %,d | %s%.2f | %.2f |%n",
        kind,
        of.events,
        cells,
        of.perEvent("rest"),
        of.perEvent());
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
                : "channels that share";
        sums.computeIfAbsent(kind, absent -> new Sums()).add(rowGroup);
        all.add(rowGroup);
      }
    }
  }
}
