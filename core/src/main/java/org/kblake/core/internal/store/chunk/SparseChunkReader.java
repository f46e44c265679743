package org.kblake.core.internal.store.chunk;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * Looks for a few events of a chunk, in pages of the caller's choice. Of a page that is looked into
 * times and states are decoded; from these the caller chooses rows, and of the other columns only
 * those rows are decoded. Strays are skipped.
 *
 * <p>Reusable for one chunk after another, not thread safe; holds buffers and, between open and
 * close, its own files.
 */
public final class SparseChunkReader implements Closeable {

  private static final Set<EventColumn> KEYS =
      EnumSet.of(EventColumn.TIME, EventColumn.STATE, EventColumn.STRAY);
  private static final Set<EventColumn> SEGMENT = EnumSet.of(EventColumn.SEGMENT);

  private final ChunkFiles files = new ChunkFiles(Pace.FREE);
  private final EventPageReader pageReader = new EventPageReader();
  private final EventColumns keys = new EventColumns(ValueType.LONG, false, 0);
  private final EventColumns ends = new EventColumns(ValueType.LONG, false, 2);
  private final RowIndices endRows = new RowIndices();

  private @Nullable RowGroupLayout pages;
  private @Nullable Chunk chunk;
  private int fromSegment;
  private int toSegment;
  private boolean allSegments;
  private int page;
  private int firstRow;
  private int endRow;

  /**
   * Begins to look into a chunk.
   *
   * @param newChunk of this block
   * @param from first segment wanted, as the block counts them
   * @param to the segment behind the last
   */
  public void open(BlockChunks block, Chunk newChunk, int from, int to) throws IOException {
    pages = files.open(block, newChunk);
    chunk = newChunk;
    fromSegment = from;
    toSegment = to;
    allSegments = from <= 0 && to >= block.segments();
    firstRow = 0;
    endRow = 0;
  }

  /** How many pages hold rows of the chunk, perhaps with rows of others. */
  public int pages() {
    return layout().pages();
  }

  /** The earliest time in a page; {@link Long#MAX_VALUE} if there is none. */
  public long pageFirstNanos(int number) {
    return layout().pageMinNanos()[number];
  }

  /** The latest time in a page; {@link Long#MIN_VALUE} if there is none. */
  public long pageLastNanos(int number) {
    return layout().pageMaxNanos()[number];
  }

  /** Whether it is known without a look that all events of the chunk are value events. */
  public boolean hasOnlyValues() {
    Long constant = layout().column(EventColumn.STATE).constant();
    return constant != null && constant == EventState.VALUE_CODE;
  }

  /**
   * Looks into a page: its rows of the wanted segments are those from {@link #firstRow} to before
   * {@link #endRow}, in log order.
   *
   * @throws CorruptBlockException if the block's files are not what was written
   */
  public void look(int number) throws IOException {
    RowGroupLayout layout = layout();
    Chunk open = chunk;
    if (open == null) {
      throw new IllegalStateException("no chunk is open");
    }
    page = number;
    pageReader.read(files.file(), layout, number, number + 1, KEYS, keys);
    int pageRow = layout.pageRows()[number];
    firstRow = Math.max(0, open.firstRow() - pageRow);
    endRow = Math.min(keys.count, open.firstRow() + open.rows() - pageRow);
    if (!allSegments && firstRow < endRow && !areEndsWanted(layout)) {
      cutToSegments(layout);
    }
  }

  /** Whether first and last row are of wanted segments: then those between are, too. */
  private boolean areEndsWanted(RowGroupLayout layout) throws IOException {
    endRows.clear();
    endRows.add(firstRow);
    if (endRow - 1 > firstRow) {
      endRows.add(endRow - 1);
    }
    pageReader.readRows(files.file(), layout, page, endRows, SEGMENT, ends);
    return ends.segment[0] >= fromSegment && ends.segment[ends.count - 1] < toSegment;
  }

  private void cutToSegments(RowGroupLayout layout) throws IOException {
    pageReader.read(files.file(), layout, page, page + 1, SEGMENT, keys);
    while (firstRow < endRow && keys.segment[firstRow] < fromSegment) {
      firstRow++;
    }
    while (firstRow < endRow && keys.segment[endRow - 1] >= toSegment) {
      endRow--;
    }
  }

  public int firstRow() {
    return firstRow;
  }

  public int endRow() {
    return endRow;
  }

  /** The times of the page's rows; the array is the probe's, until it looks again. */
  public long[] nanos() {
    return keys.timeNanos;
  }

  /** Whether a row of the page is a value event. */
  public boolean isValue(int row) {
    return keys.state[row] == EventState.VALUE_CODE && keys.stray[row] == 0;
  }

  /** Whether a row of the page says that the channel was connected or disconnected. */
  public boolean isConnection(int row) {
    return keys.state[row] != EventState.VALUE_CODE && keys.stray[row] == 0;
  }

  /**
   * Replaces the columns' rows by some of the page that was looked into.
   *
   * @param rows of the page
   * @param columns to decode beside those that are known; the arrays of others keep what they hold
   * @param into of the chunk's type
   */
  public void read(RowIndices rows, Set<EventColumn> columns, EventColumns into)
      throws IOException {
    pageReader.readRows(files.file(), layout(), page, rows, columns, into);
    for (int i = 0; i < rows.count(); i++) {
      into.timeNanos[i] = keys.timeNanos[rows.get(i)];
      into.state[i] = keys.state[rows.get(i)];
      into.stray[i] = keys.stray[rows.get(i)];
    }
  }

  private RowGroupLayout layout() {
    RowGroupLayout layout = pages;
    if (layout == null) {
      throw new IllegalStateException("no chunk is open");
    }
    return layout;
  }

  @Override
  public void close() throws IOException {
    pages = null;
    chunk = null;
    files.close();
  }
}
