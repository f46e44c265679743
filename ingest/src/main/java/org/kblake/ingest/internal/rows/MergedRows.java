package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.model.TimeRange;

/**
 * The rows of adjacent blocks as the rows of one block: the chunks of each series, block after
 * block. Segments have the numbers of the merged block. Rows stay on disk until a row group needs
 * them. Long chunks have pages of their own, and are streamed one after the other. Hundreds of
 * short chunks share a page. The short chunks of some row groups are gathered in scattered rows,
 * block by block, so that each page is decoded once.
 *
 * <p>Only 24 bytes are kept for each chunk of each block. Many threads may read after every block
 * was verified.
 */
public final class MergedRows implements RowSource {

  private static final Comparator<Chunk> BY_SERIES =
      Comparator.comparing(MergedRows::seriesOf)
          .thenComparingInt(Chunk::rowGroup)
          .thenComparingInt(Chunk::firstRow);

  /** The limit of gathered bytes of one task. Encoded they take a few MiB of heap. */
  private static final long MAX_GATHERED_BYTES = 16 << 20;

  /** The number of row groups that are streamed in one task. */
  private static final long MAX_STREAMED = 4;

  private final RowMemory memory;
  private final long mostGathered;
  private final ReaderPool readers;
  private final List<Series> series;
  private final List<Input> inputs = new ArrayList<>();
  private final Map<Series, Integer> numbers = new HashMap<>();
  private final int[] chunks;
  private final long[] rows;
  private final long[] counted;
  private final long[] bytes;
  private final long[] longestRow;

  /** A block's chunks, sorted by series, then in log order. */
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

    /** Returns the first chunk of a series, or of the next series that has one. */
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

    /** Returns some rows of a chunk. */
    Chunk range(int chunk, Series of, int fromRow, int count) {
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
   * Reads the chunk directories of blocks.
   *
   * @param memory the memory for gathered rows, shared by all threads
   * @param readers the readers of chunks
   */
  public MergedRows(List<Block> blocks, RowMemory memory, int threads, ReaderPool readers)
      throws IOException {
    this.memory = memory;
    this.mostGathered = Math.min(MAX_GATHERED_BYTES, memory.budgetBytes() / threads / 2);
    this.readers = readers;
    for (Block block : blocks) {
      for (Chunk chunk : block.chunks().all()) {
        numbers.putIfAbsent(seriesOf(chunk), 0);
      }
    }
    series = new ArrayList<>(numbers.keySet());
    series.sort(null);
    for (int i = 0; i < series.size(); i++) {
      numbers.put(series.get(i), i);
    }
    chunks = new int[series.size()];
    rows = new long[series.size()];
    counted = new long[series.size()];
    bytes = new long[series.size()];
    longestRow = new long[series.size()];
    Arrays.fill(longestRow, Long.BYTES);
    int segments = 0;
    for (Block block : blocks) {
      List<Chunk> ofBlock = new ArrayList<>(block.chunks().all());
      ofBlock.sort(BY_SERIES);
      Input input = new Input(block, segments, ofBlock, numbers);
      inputs.add(input);
      for (int of : input.series) {
        chunks[of]++;
      }
      segments += block.summary().segments();
    }
  }

  private static Series seriesOf(Chunk chunk) {
    return new Series(chunk.channel(), chunk.type(), chunk.waveform());
  }

  /** Returns the series by their numbers, sorted by file and channel. */
  public List<Series> series() {
    return series;
  }

  /** Counts the rows of a replayed window. */
  public void count(List<Series> read, RowSource window) {
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
   * Adds a block's rows to those that may be read, if the replay counted exactly these rows.
   *
   * @param input the number of the block; all blocks before it were added
   * @throws CorruptBlockException if the block has rows that are in no segment
   */
  public void requireCounted(int input) throws CorruptBlockException {
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
  public int together(List<List<RowRange>> rowGroups, int from) {
    long gathered = 0;
    int to = from;
    while (to < rowGroups.size()) {
      gathered += gatheredBytes(rowGroups.get(to));
      if (to > from && gathered > mostGathered) {
        break;
      }
      to++;
    }
    return to - from;
  }

  private long gatheredBytes(List<RowRange> rowGroup) {
    if (isStreamed(rowGroup)) {
      return mostGathered / MAX_STREAMED;
    }
    long gathered = 0;
    for (RowRange range : rowGroup) {
      int of = range.series();
      double share = (double) (range.toRow() - range.fromRow()) / rows[of];
      long values = bytes[of] - rows[of] * Long.BYTES;
      gathered += (long) (share * (rows[of] * ScatteredRows.BYTES_PER_ROW + values));
    }
    return gathered;
  }

  /**
   * Returns whether the chunks of a row group are so long that they share few pages with other
   * chunks.
   */
  private boolean isStreamed(List<RowRange> rowGroup) {
    int of = rowGroup.get(0).series();
    return rowGroup.size() == 1 && rows[of] >= (long) chunks[of] * EventColumns.PAGE_ROWS / 2;
  }

  @Override
  public Rows open(List<List<RowRange>> rowGroups) throws IOException {
    Opened opened = new Opened(readers.take());
    try {
      opened.gather(rowGroups.stream().filter(rowGroup -> !isStreamed(rowGroup)).toList());
      return opened;
    } catch (Throwable e) {
      FirstFailure.close(e, opened);
      throw e;
    }
  }

  /** Row groups whose rows were gathered, or will be streamed. */
  private final class Opened implements Rows {
    private final ChunkReader reader;
    private final ScatteredRows gathered = new ScatteredRows(memory);

    /** The index of a row group's first range among the gathered ranges. */
    private final Map<RowRange, Integer> places = new HashMap<>();

    Opened(ChunkReader reader) {
      this.reader = reader;
    }

    /** Reads the ranges of the row groups, block after block. */
    void gather(List<List<RowRange>> rowGroups) throws IOException {
      List<RowRange> ranges = new ArrayList<>();
      for (List<RowRange> rowGroup : rowGroups) {
        places.put(rowGroup.get(0), ranges.size());
        ranges.addAll(rowGroup);
      }
      if (ranges.isEmpty()) {
        return;
      }
      Series of = series.get(ranges.get(0).series());
      EventColumns batch = new EventColumns(of.type(), of.waveform(), EventColumns.PAGE_ROWS);
      Integer[] inOrder = new Integer[ranges.size()];
      Arrays.setAll(inOrder, i -> i);
      Arrays.sort(inOrder, Comparator.comparingInt(i -> ranges.get(i).series()));
      long[] rowsBefore = new long[ranges.size()];
      for (Input input : inputs) {
        gather(input, ranges, inOrder, rowsBefore, batch);
      }
    }

    /**
     * Reads the rows of a block.
     *
     * @param inOrder the numbers of the ranges, sorted by series
     * @param rowsBefore rows of each range's series in the previous blocks; updated
     */
    private void gather(
        Input input,
        List<RowRange> ranges,
        Integer[] inOrder,
        long[] rowsBefore,
        EventColumns batch)
        throws IOException {
      JoinedChunks.Taker taker =
          (number, columns, fromRow, toRow) -> {
            for (int row = fromRow; row < toRow; row++) {
              gathered.add(number, columns, row, columns.segment[row] + input.segmentShift);
            }
          };
      JoinedChunks joined = null;
      int chunk = input.firstOf(ranges.get(inOrder[0]).series());
      for (int number : inOrder) {
        RowRange range = ranges.get(number);
        while (chunk < input.series.length && input.series[chunk] < range.series()) {
          chunk++;
        }
        long chunkRow = rowsBefore[number];
        for (int at = chunk; isOf(input, at, range.series()); at++) {
          int from = (int) Math.max(0, Math.min(range.fromRow() - chunkRow, input.rows[at]));
          int to = (int) Math.max(0, Math.min(range.toRow() - chunkRow, input.rows[at]));
          chunkRow += input.rows[at];
          if (from < to) {
            Chunk next = input.range(at, series.get(range.series()), from, to - from);
            if (joined != null && joined.reaches(next)) {
              joined.add(next, number);
            } else {
              if (joined != null) {
                joined.read(reader, input.block, TimeRange.ALL, batch, taker);
              }
              joined = new JoinedChunks(next, number);
            }
          }
        }
        rowsBefore[number] = chunkRow;
      }
      if (joined != null) {
        joined.read(reader, input.block, TimeRange.ALL, batch, taker);
      }
    }

    @Override
    public void feed(List<RowRange> rowGroup, EventColumns batch, Sink sink) throws IOException {
      Integer place = places.get(rowGroup.get(0));
      if (place == null) {
        stream(rowGroup.get(0), batch, sink);
        return;
      }
      for (int i = 0; i < rowGroup.size(); i++) {
        sink.series(rowGroup.get(i).series());
        RowCursor cursor = gathered.cursor(place + i);
        long left = gathered.rows(place + i);
        for (; left > 0; left -= batch.count) {
          cursor.read((int) Math.min(EventColumns.PAGE_ROWS, left), batch);
          sink.rows(batch);
        }
      }
    }

    private void stream(RowRange range, EventColumns batch, Sink sink) throws IOException {
      sink.series(range.series());
      long toSkip = range.fromRow();
      long left = range.toRow() - range.fromRow();
      for (Input input : inputs) {
        int chunk = input.firstOf(range.series());
        for (; left > 0 && isOf(input, chunk, range.series()); chunk++) {
          int skipped = (int) Math.min(toSkip, input.rows[chunk]);
          int count = (int) Math.min(left, input.rows[chunk] - skipped);
          toSkip -= skipped;
          left -= count;
          if (count > 0) {
            Chunk rest = input.range(chunk, series.get(range.series()), skipped, count);
            new JoinedChunks(rest, range.series())
                .read(
                    reader,
                    input.block,
                    TimeRange.ALL,
                    batch,
                    (number, columns, fromRow, toRow) -> {
                      input.shiftSegments(columns);
                      sink.rows(columns);
                    });
          }
        }
      }
    }

    @Override
    public void close() throws IOException {
      gathered.clear();
      readers.giveBack(reader);
    }
  }

  private static boolean isOf(Input input, int chunk, int wanted) {
    return chunk < input.series.length && input.series[chunk] == wanted;
  }
}
