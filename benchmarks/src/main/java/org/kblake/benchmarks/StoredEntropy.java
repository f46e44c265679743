package org.kblake.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.model.EventState;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;

/**
 * Estimates the entropy of the times and values in the store of a simulated archive. A time is a
 * random delay behind a scan. So it has the entropy of the delay, and of the interval in tenths of
 * a second. All channels of a kind have the same distribution of intervals. Values are estimated
 * for each channel. The entropy of texts counts as 0.
 *
 * <p>Beside the entropy is the least size of times as DELTA_BINARY_PACKED: each 32 differences of a
 * channel have the width of their range, and nothing else is stored.
 */
public final class StoredEntropy {

  /** The bits of the random delay of an event of the simulated archiver. */
  private static final double DELAY_BITS = 21;

  private static final long TENTH_NANOS = 100_000_000L;

  /** The differences of a miniblock, which have one width. */
  private static final int MINIBLOCK = 32;

  private final Map<String, String> kindOfChannel;
  private final Map<String, List<long[]>> intervals = new TreeMap<>();
  private final Map<String, Row> rows = new TreeMap<>();
  private final Row all = new Row();
  private Map<String, Double> timeBits = Map.of();

  /** The sums of a row of the table. */
  private static final class Row {
    private final Map<String, Long> eventsOfKind = new TreeMap<>();
    private double valueBits;
    private double deltaBits;

    void add(String kind, long events, Bits bits) {
      eventsOfKind.merge(kind, events, Long::sum);
      valueBits += bits.value;
      deltaBits += bits.delta;
    }
  }

  /** The entropy of a chunk's values, and the least size of its times as deltas. */
  private record Bits(double value, double delta) {}

  private StoredEntropy(Map<String, String> kindOfChannel) {
    this.kindOfChannel = kindOfChannel;
  }

  /** Reads a whole store. */
  public static StoredEntropy of(Path directory, Map<String, String> kindOfChannel)
      throws IOException {
    StoredEntropy entropy = new StoredEntropy(kindOfChannel);
    try (Store store = Store.open(directory, null);
        ChunkReader reader = new ChunkReader()) {
      for (Group group : store.groups()) {
        for (Block block : store.blocks(group, problem -> {})) {
          entropy.read(block, reader);
        }
      }
    }
    Map<String, Double> bits = new TreeMap<>();
    entropy.intervals.forEach((kind, of) -> bits.put(kind, EntropyEstimate.ofNumbers(joined(of))));
    entropy.timeBits = bits;
    return entropy;
  }

  private void read(Block block, ChunkReader reader) throws IOException {
    Map<Integer, List<Chunk>> rowGroups = new TreeMap<>();
    for (Chunk chunk : block.chunks().all()) {
      rowGroups.computeIfAbsent(chunk.rowGroup(), absent -> new ArrayList<>()).add(chunk);
    }
    for (List<Chunk> chunks : rowGroups.values()) {
      for (Chunk chunk : chunks) {
        String kind = kindOfChannel.getOrDefault(chunk.channel(), "unknown");
        Bits bits = read(block, chunk, kind, reader);
        String row = chunks.size() == 1 ? kind : StoredBytes.shared(chunk.type(), chunk.waveform());
        rows.computeIfAbsent(row, absent -> new Row()).add(kind, chunk.rows(), bits);
        all.add(kind, chunk.rows(), bits);
      }
    }
  }

  /** Reads a chunk, and adds its intervals. */
  private Bits read(Block block, Chunk chunk, String kind, ChunkReader reader) throws IOException {
    List<long[]> times = new ArrayList<>();
    List<long[]> values = new ArrayList<>();
    EventColumns rows = new EventColumns(chunk.type(), chunk.waveform(), EventColumns.PAGE_ROWS);
    reader.open(block.chunks(), chunk, TimeRange.ALL, 0, Integer.MAX_VALUE, null);
    while (reader.next(rows)) {
      times.add(Arrays.copyOf(rows.timeNanos, rows.count));
      values.add(values(rows));
    }
    long[] tenths = joined(times);
    double deltaBits = deltaBits(tenths);
    for (int i = tenths.length - 1; i > 0; i--) {
      tenths[i] = Math.floorDiv(tenths[i] - tenths[i - 1] + TENTH_NANOS / 2, TENTH_NANOS);
    }
    intervals
        .computeIfAbsent(kind, absent -> new ArrayList<>())
        .add(Arrays.copyOfRange(tenths, Math.min(1, tenths.length), tenths.length));
    return new Bits(valueBits(chunk, joined(values)), deltaBits);
  }

  private static double deltaBits(long[] nanos) {
    double bits = 0;
    for (int from = 1; from < nanos.length; from += MINIBLOCK) {
      int to = Math.min(nanos.length, from + MINIBLOCK);
      long least = Long.MAX_VALUE;
      long most = Long.MIN_VALUE;
      for (int i = from; i < to; i++) {
        least = Math.min(least, nanos[i] - nanos[i - 1]);
        most = Math.max(most, nanos[i] - nanos[i - 1]);
      }
      bits += (double) (to - from) * (Long.SIZE - Long.numberOfLeadingZeros(most - least));
    }
    return bits;
  }

  private static long[] values(EventColumns rows) {
    if (rows.type() == ValueType.STRING) {
      return new long[0];
    }
    if (rows.waveform()) {
      return Arrays.copyOf(rows.values, rows.listStarts[rows.count]);
    }
    long[] values = new long[rows.count];
    int count = 0;
    for (int row = 0; row < rows.count; row++) {
      values[count] = rows.values[row];
      count += rows.state[row] == EventState.VALUE_CODE ? 1 : 0;
    }
    return Arrays.copyOf(values, count);
  }

  /** The elements of a waveform at one position are a series of their own. */
  private static double valueBits(Chunk chunk, long[] values) {
    int elements = chunk.waveform() ? Math.max(1, values.length / chunk.rows()) : 1;
    double bits = 0;
    for (int element = 0; element < elements; element++) {
      long[] series = new long[values.length / elements];
      for (int i = 0; i < series.length; i++) {
        series[i] = values[i * elements + element];
      }
      long[] integers =
          chunk.type() == ValueType.DOUBLE ? EntropyEstimate.integers(series) : series;
      bits += EntropyEstimate.ofSeries(integers) * series.length;
    }
    return bits;
  }

  private static long[] joined(List<long[]> arrays) {
    return arrays.stream().flatMapToLong(Arrays::stream).toArray();
  }

  /** Returns the entropy of the times of a row of the table in bytes; null is the last row. */
  public double timeBytes(@Nullable String name) {
    double bits = 0;
    for (Map.Entry<String, Long> of : row(name).eventsOfKind.entrySet()) {
      bits += of.getValue() * (DELAY_BITS + timeBits.getOrDefault(of.getKey(), 0.0));
    }
    return bits / Byte.SIZE;
  }

  /**
   * Returns the least size of the times of a row of the table as DELTA_BINARY_PACKED in bytes; null
   * is the last row.
   */
  public double deltaBytes(@Nullable String name) {
    return row(name).deltaBits / Byte.SIZE;
  }

  /** Returns the entropy of the values of a row of the table in bytes; null is the last row. */
  public double valueBytes(@Nullable String name) {
    return row(name).valueBits / Byte.SIZE;
  }

  private Row row(@Nullable String name) {
    return name == null ? all : rows.getOrDefault(name, all);
  }
}
