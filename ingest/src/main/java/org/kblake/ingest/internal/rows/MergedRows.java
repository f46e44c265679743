package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.chunk.ChunkReader;
import org.kblake.core.model.TimeRange;

/**
 * The rows of adjoining blocks as those of one: each series' chunks, block after block, segments
 * counted on. Rows stay on disk until a row group requests them. Where chunks are so long that
 * pages are theirs, they are handed out one after the other. Short ones share pages by the
 * hundreds: those of some row groups are gathered in scattered rows, block by block, each page
 * decoded once.
 *
 * <p>Twenty-four bytes for each chunk of each block are all that is kept. Many threads may read
 * when every block is proved.
 */
public final class MergedRows implements RowSource {

  private static final Comparator<Chunk> BY_SERIES =
      Comparator.comparing(MergedRows::seriesOf)
          .thenComparingInt(Chunk::rowGroup)
          .thenComparingInt(Chunk::firstRow);

  /** Encoded, so many bytes of rows are a few MiB of heap. */
  private static final long MOST_GATHERED_BYTES = 16 << 20;

  /** Row groups that are not gathered are encoded a few at a time. */
  private static final long MOST_STREAMED = 4;

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
   * @param memory for rows that are gathered, some by each thread
   * @param readers of chunks
   */
  public MergedRows(List<Block> blocks, RowMemory memory, int threads, ReaderPool readers)
      throws IOException {
    this.memory = memory;
    this.mostGathered = Math.min(MOST_GATHERED_BYTES, memory.budgetBytes() / threads / 2);
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

  /** The series, in the order of files and channels, by their numbers. */
  public List<Series> series() {
    return series;
  }

  /** Takes account of rows that were read for the first time. */
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
   * Takes a block's rows for proved, if all of them, and no others, have been counted.
   *
   * @param input the block's place in the list; all before it are proved
   * @throws CorruptBlockException if there are rows that nobody has looked at
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
  public int together(List<List<Part>> rowGroups, int from) {
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

  private long gatheredBytes(List<Part> rowGroup) {
    if (isStreamed(rowGroup)) {
      return mostGathered / MOST_STREAMED;
    }
    long gathered = 0;
    for (Part part : rowGroup) {
      int of = part.series();
      double share = (double) (part.toRow() - part.fromRow()) / rows[of];
      long values = bytes[of] - rows[of] * Long.BYTES;
      gathered += (long) (share * (rows[of] * ScatteredRows.BYTES_PER_ROW + values));
    }
    return gathered;
  }

  /** Whether the chunks of a row group are so long that nearly whole pages are theirs. */
  private boolean isStreamed(List<Part> rowGroup) {
    int of = rowGroup.get(0).series();
    return rowGroup.size() == 1 && rows[of] >= (long) chunks[of] * EventColumns.PAGE_ROWS / 2;
  }

  @Override
  public Rows open(List<List<Part>> rowGroups) throws IOException {
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

    /** Where the rows of a row group's first part are among those that were gathered. */
    private final Map<Part, Integer> places = new HashMap<>();

    Opened(ChunkReader reader) {
      this.reader = reader;
    }

    /** Reads the parts of one block after the other. */
    void gather(List<List<Part>> rowGroups) throws IOException {
      List<Part> parts = new ArrayList<>();
      for (List<Part> rowGroup : rowGroups) {
        places.put(rowGroup.get(0), parts.size());
        parts.addAll(rowGroup);
      }
      if (parts.isEmpty()) {
        return;
      }
      Series of = series.get(parts.get(0).series());
      EventColumns batch = new EventColumns(of.type(), of.waveform(), EventColumns.PAGE_ROWS);
      Integer[] inOrder = new Integer[parts.size()];
      Arrays.setAll(inOrder, i -> i);
      Arrays.sort(inOrder, Comparator.comparingInt(i -> parts.get(i).series()));
      long[] rowsBefore = new long[parts.size()];
      for (Input input : inputs) {
        gather(input, parts, inOrder, rowsBefore, batch);
      }
    }

    /**
     * Reads a block's part.
     *
     * @param inOrder the parts by their series
     * @param rowsBefore of each part's series, in the blocks before; updated
     */
    private void gather(
        Input input, List<Part> parts, Integer[] inOrder, long[] rowsBefore, EventColumns batch)
        throws IOException {
      ChunkRun.Taker taker =
          (number, columns, fromRow, toRow) -> {
            for (int row = fromRow; row < toRow; row++) {
              gathered.add(number, columns, row, columns.segment[row] + input.segmentShift);
            }
          };
      ChunkRun run = null;
      int chunk = input.firstOf(parts.get(inOrder[0]).series());
      for (int number : inOrder) {
        Part part = parts.get(number);
        while (chunk < input.series.length && input.series[chunk] < part.series()) {
          chunk++;
        }
        long chunkRow = rowsBefore[number];
        for (int at = chunk; isOf(input, at, part.series()); at++) {
          int from = (int) Math.max(0, Math.min(part.fromRow() - chunkRow, input.rows[at]));
          int to = (int) Math.max(0, Math.min(part.toRow() - chunkRow, input.rows[at]));
          chunkRow += input.rows[at];
          if (from < to) {
            Chunk next = input.part(at, series.get(part.series()), from, to - from);
            if (run != null && run.reaches(next)) {
              run.add(next, number);
            } else {
              if (run != null) {
                run.read(reader, input.block, TimeRange.ALL, batch, taker);
              }
              run = new ChunkRun(next, number);
            }
          }
        }
        rowsBefore[number] = chunkRow;
      }
      if (run != null) {
        run.read(reader, input.block, TimeRange.ALL, batch, taker);
      }
    }

    @Override
    public void feed(List<Part> rowGroup, EventColumns batch, Sink sink) throws IOException {
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

    private void stream(Part part, EventColumns batch, Sink sink) throws IOException {
      sink.series(part.series());
      long toSkip = part.fromRow();
      long left = part.toRow() - part.fromRow();
      for (Input input : inputs) {
        int chunk = input.firstOf(part.series());
        for (; left > 0 && isOf(input, chunk, part.series()); chunk++) {
          int skipped = (int) Math.min(toSkip, input.rows[chunk]);
          int count = (int) Math.min(left, input.rows[chunk] - skipped);
          toSkip -= skipped;
          left -= count;
          if (count > 0) {
            Chunk rest = input.part(chunk, series.get(part.series()), skipped, count);
            new ChunkRun(rest, part.series())
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
