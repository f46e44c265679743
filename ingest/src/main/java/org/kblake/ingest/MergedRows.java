package org.kblake.ingest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;
import org.kblake.core.store.Block;
import org.kblake.core.store.Chunk;
import org.kblake.core.store.ChunkReader;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.Pace;

/**
 * The rows of adjoining blocks as those of one: each series' chunks, block after block, segments
 * counted on. Rows stay on disk until a row group asks for them. A row group of one series is
 * handed out chunk by chunk. Those of many silent series are gathered in scattered rows, block by
 * block, so that pages which hold hundreds of them are decoded once.
 *
 * <p>Twenty-four bytes for each chunk of each block are all that is kept. Many threads may read
 * when every block is proved.
 */
final class MergedRows implements RowSource {

  private static final Comparator<Chunk> BY_SERIES =
      Comparator.comparing(MergedRows::seriesOf)
          .thenComparingInt(Chunk::rowGroup)
          .thenComparingInt(Chunk::firstRow);

  private final RowMemory memory;
  private final Pace pace;
  private final List<Series> series;
  private final List<Input> inputs = new ArrayList<>();
  private final ConcurrentLinkedQueue<ChunkReader> idle = new ConcurrentLinkedQueue<>();
  private final Map<Series, Integer> numbers = new HashMap<>();
  private final long[] rows;
  private final long[] counted;
  private final long[] bytes;
  private final long[] longestRow;

  /** A block's chunks, in the order of series and, among those of one, of the log. */
  private static final class Input {
    final Block block;
    final int segmentShift;
    final int[] series;
    final int[] rowGroup;
    final int[] firstRow;
    final int[] rows;
    final int[] firstPage;
    final int[] pages;

    Input(Block block, int segmentShift, List<Chunk> chunks, Map<Series, Integer> numbers) {
      this.block = block;
      this.segmentShift = segmentShift;
      int size = chunks.size();
      series = new int[size];
      rowGroup = new int[size];
      firstRow = new int[size];
      rows = new int[size];
      firstPage = new int[size];
      pages = new int[size];
      for (int i = 0; i < size; i++) {
        Chunk chunk = chunks.get(i);
        series[i] = numbers.getOrDefault(seriesOf(chunk), -1);
        rowGroup[i] = chunk.rowGroup();
        firstRow[i] = chunk.firstRow();
        rows[i] = chunk.rows();
        firstPage[i] = chunk.firstPage();
        pages[i] = chunk.pages();
      }
    }

    /** The first chunk of a series, or of the first one behind it. */
    int firstOf(int wanted) {
      int low = 0;
      int high = series.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (series[middle] < wanted) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** Some rows of a chunk. */
    Chunk part(int chunk, Series of, int fromRow, int count) {
      return new Chunk(
          of.channel(),
          of.type(),
          of.waveform(),
          rowGroup[chunk],
          firstRow[chunk] + fromRow,
          count,
          firstPage[chunk],
          pages[chunk],
          0,
          0,
          0);
    }

    void shiftSegments(EventColumns batch) {
      for (int row = 0; row < batch.count; row++) {
        batch.segment[row] += segmentShift;
      }
    }
  }

  /**
   * Looks up the chunks of blocks.
   *
   * @param memory for silent series while they are encoded
   * @param pace of reading pages
   */
  MergedRows(List<Block> blocks, RowMemory memory, Pace pace) throws IOException {
    this.memory = memory;
    this.pace = pace;
    for (Block block : blocks) {
      for (Chunk chunk : block.chunks()) {
        numbers.putIfAbsent(seriesOf(chunk), 0);
      }
    }
    series = new ArrayList<>(numbers.keySet());
    series.sort(null);
    for (int i = 0; i < series.size(); i++) {
      numbers.put(series.get(i), i);
    }
    rows = new long[series.size()];
    counted = new long[series.size()];
    bytes = new long[series.size()];
    longestRow = new long[series.size()];
    Arrays.fill(longestRow, Long.BYTES);
    int segments = 0;
    for (Block block : blocks) {
      List<Chunk> chunks = new ArrayList<>(block.chunks());
      chunks.sort(BY_SERIES);
      Input input = new Input(block, segments, chunks, numbers);
      inputs.add(input);
      segments += block.facts().segments();
    }
  }

  private static Series seriesOf(Chunk chunk) {
    return new Series(chunk.channel(), chunk.type(), chunk.waveform());
  }

  /** The series, in the order of files and channels, by their numbers. */
  List<Series> series() {
    return series;
  }

  /** Takes account of rows that were read for the first time. */
  void count(List<Series> read, RowSource window) {
    for (int i = 0; i < read.size(); i++) {
      Integer number = numbers.get(read.get(i));
      if (number != null && window.rows(i) > 0) {
        counted[number] += window.rows(i);
        bytes[number] += window.bytes(i);
        longestRow[number] = Math.max(longestRow[number], window.longestRow(i));
      }
    }
  }

  /**
   * Takes a block's rows for proved, if all of them, and no others, have been counted.
   *
   * @param input the block's place in the list; all before it are proved
   * @throws CorruptBlockException if there are rows that nobody has looked at
   */
  void requireCounted(int input) throws CorruptBlockException {
    Input proved = inputs.get(input);
    for (int i = 0; i < proved.series.length; i++) {
      rows[proved.series[i]] += proved.rows[i];
    }
    for (int i = 0; i < rows.length; i++) {
      if (rows[i] != counted[i]) {
        throw new CorruptBlockException(
            proved.block.directory(),
            0,
            rows[i] + " rows of " + series.get(i).channel() + " up to here",
            counted[i] + " rows that are events of a segment");
      }
    }
  }

  @Override
  public long rows(int of) {
    return rows[of];
  }

  @Override
  public long bytes(int of) {
    return bytes[of];
  }

  @Override
  public long longestRow(int of) {
    return longestRow[of];
  }

  @Override
  public void feed(List<Part> rowGroup, EventColumns batch, Sink sink) throws IOException {
    ChunkReader pooled = idle.poll();
    ChunkReader reader = pooled == null ? new ChunkReader(pace) : pooled;
    try {
      if (rowGroup.size() == 1) {
        stream(reader, rowGroup.get(0), batch, sink);
      } else {
        gather(reader, rowGroup, batch, sink);
      }
    } finally {
      reader.close();
      idle.add(reader);
    }
  }

  private void stream(ChunkReader reader, Part part, EventColumns batch, Sink sink)
      throws IOException {
    sink.series(part.series());
    Series of = series.get(part.series());
    long toSkip = part.fromRow();
    long left = part.toRow() - part.fromRow();
    for (Input input : inputs) {
      int chunk = input.firstOf(part.series());
      for (; left > 0 && isOf(input, chunk, part.series()); chunk++) {
        long skipped = Math.min(toSkip, input.rows[chunk]);
        toSkip -= skipped;
        int count = (int) Math.min(left, input.rows[chunk] - skipped);
        if (count > 0) {
          new ChunkRun(input.part(chunk, of, (int) skipped, count), part.series())
              .read(
                  reader,
                  input.block,
                  TimeRange.ALL,
                  batch,
                  (number, columns, fromRow, toRow) -> {
                    input.shiftSegments(columns);
                    sink.rows(columns);
                  });
          left -= count;
        }
      }
    }
  }

  private static boolean isOf(Input input, int chunk, int wanted) {
    return chunk < input.series.length && input.series[chunk] == wanted;
  }

  private void gather(ChunkReader reader, List<Part> rowGroup, EventColumns batch, Sink sink)
      throws IOException {
    ScatteredRows gathered = new ScatteredRows(memory);
    try {
      for (Input input : inputs) {
        gather(reader, input, rowGroup, batch, gathered);
      }
      List<Part> parts = new ArrayList<>(rowGroup.size());
      for (int i = 0; i < rowGroup.size(); i++) {
        parts.add(new Part(i, rowGroup.get(i).fromRow(), rowGroup.get(i).toRow()));
      }
      gathered.feed(
          parts,
          batch,
          new Sink() {
            @Override
            public void series(int number) {
              sink.series(rowGroup.get(number).series());
            }

            @Override
            public void rows(EventColumns columns) {
              sink.rows(columns);
            }
          });
    } finally {
      gathered.clear();
    }
  }

  /** Reads a block's part of whole series of a row group. */
  private void gather(
      ChunkReader reader, Input input, List<Part> rowGroup, EventColumns batch, ScatteredRows into)
      throws IOException {
    ChunkRun.Taker taker =
        (number, columns, fromRow, toRow) -> {
          for (int row = fromRow; row < toRow; row++) {
            into.add(number, columns, row, columns.segment[row] + input.segmentShift);
          }
        };
    ChunkRun run = null;
    int chunk = input.firstOf(rowGroup.get(0).series());
    for (int i = 0; i < rowGroup.size(); i++) {
      int wanted = rowGroup.get(i).series();
      while (chunk < input.series.length && input.series[chunk] < wanted) {
        chunk++;
      }
      for (; isOf(input, chunk, wanted); chunk++) {
        Chunk next = input.part(chunk, series.get(wanted), 0, input.rows[chunk]);
        run = extended(run, next, i, reader, input, batch, taker);
      }
    }
    if (run != null) {
      run.read(reader, input.block, TimeRange.ALL, batch, taker);
    }
  }

  private static ChunkRun extended(
      @Nullable ChunkRun run,
      Chunk next,
      int number,
      ChunkReader reader,
      Input input,
      EventColumns batch,
      ChunkRun.Taker taker)
      throws IOException {
    if (run != null && run.reaches(next)) {
      run.add(next, number);
      return run;
    }
    if (run != null) {
      run.read(reader, input.block, TimeRange.ALL, batch, taker);
    }
    return new ChunkRun(next, number);
  }
}
