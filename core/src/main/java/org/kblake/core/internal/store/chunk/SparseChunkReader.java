package org.kblake.core.internal.store.chunk;

import java.io.Closeable;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * Reads a few events of a chunk, from pages that the caller chooses. It first decodes the times and
 * states of a page. The caller then chooses rows, and only those rows of the other columns are
 * decoded. Strays are skipped.
 *
 * <p>Small chunks share pages. If they are read in the order of their rows, the times of a page are
 * decoded once. From the second chunk on, the other columns of the whole page are, too.
 *
 * <p>Reusable for one chunk after another, not thread safe. It has buffers, and open files between
 * open and close.
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

  /** The file of the page of the last {@link #load}; null if there is none. */
  private @Nullable FileByteSource loadedFile;

  private int loadedRowGroup;

  /** That page's number in its row group. */
  private int loadedPage;

  /** Whether an earlier chunk has loaded the page. */
  private boolean reused;

  /** Some columns of all rows of the page, if it is reused. */
  private EventColumns whole = new EventColumns(ValueType.LONG, false, 0);

  private final EnumSet<EventColumn> wholeColumns = EnumSet.noneOf(EventColumn.class);

  private @Nullable RowGroupLayout pages;
  private @Nullable Chunk chunk;
  private int fromSegment;
  private int toSegment;
  private boolean allSegments;
  private int page;
  private int firstRow;
  private int endRow;

  /**
   * Opens a chunk.
   *
   * @param newChunk a chunk of this block
   * @param from the first requested segment, by its number in the block
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

  /**
   * Returns the number of pages with rows of the chunk. They may have rows of other chunks, too.
   */
  public int pages() {
    return layout().pages();
  }

  /** Returns the earliest time in a page, or {@link Long#MAX_VALUE} if all rows are strays. */
  public long pageFirstNanos(int number) {
    return layout().pageMinNanos()[number];
  }

  /** Returns the latest time in a page, or {@link Long#MIN_VALUE} if all rows are strays. */
  public long pageLastNanos(int number) {
    return layout().pageMaxNanos()[number];
  }

  /** Returns whether the state column is constant and all events of the chunk are value events. */
  public boolean hasOnlyValues() {
    Long constant = layout().column(EventColumn.STATE).constant();
    return constant != null && constant == EventState.VALUE_CODE;
  }

  /**
   * Decodes the times and states of a page. The rows of the requested segments are [{@link
   * #firstRow}, {@link #endRow}), in log order.
   *
   * @throws CorruptBlockException if the block's files are damaged
   */
  public void load(int number) throws IOException {
    RowGroupLayout layout = layout();
    Chunk open = chunk;
    if (open == null) {
      throw new IllegalStateException("no chunk is open");
    }
    page = number;
    reused =
        loadedFile == files.file()
            && loadedRowGroup == open.rowGroup()
            && loadedPage == open.firstPage() + number;
    if (!reused) {
      loadedFile = null;
      wholeColumns.clear();
      pageReader.read(files.file(), layout, number, number + 1, KEYS, keys);
      loadedFile = files.file();
      loadedRowGroup = open.rowGroup();
      loadedPage = open.firstPage() + number;
    }
    int pageRow = layout.pageRows()[number];
    firstRow = Math.max(0, open.firstRow() - pageRow);
    endRow = Math.min(keys.count, open.firstRow() + open.rows() - pageRow);
    if (!allSegments && firstRow < endRow && !areEndsWanted(layout)) {
      cutToSegments(layout);
    }
  }

  /**
   * Returns whether the first and the last row, and so all rows between them, are of requested
   * segments.
   */
  private boolean areEndsWanted(RowGroupLayout layout) throws IOException {
    endRows.clear();
    endRows.add(firstRow);
    if (endRow - 1 > firstRow) {
      endRows.add(endRow - 1);
    }
    if (reused) {
      ensureWhole(layout, SEGMENT);
      return whole.segment[firstRow] >= fromSegment && whole.segment[endRow - 1] < toSegment;
    }
    pageReader.readRows(files.file(), layout, page, endRows, SEGMENT, ends);
    return ends.segment[0] >= fromSegment && ends.segment[ends.count - 1] < toSegment;
  }

  private void cutToSegments(RowGroupLayout layout) throws IOException {
    // A read that fails leaves the keys of the page as they are.
    ensureWhole(layout, SEGMENT);
    int[] segments = whole.segment;
    while (firstRow < endRow && segments[firstRow] < fromSegment) {
      firstRow++;
    }
    while (firstRow < endRow && segments[endRow - 1] >= toSegment) {
      endRow--;
    }
  }

  public int firstRow() {
    return firstRow;
  }

  public int endRow() {
    return endRow;
  }

  /** Returns the times of the page's rows. The array is valid until the next {@link #load}. */
  public long[] nanos() {
    return keys.timeNanos;
  }

  /** Returns whether a row of the page is a value event. */
  public boolean isValue(int row) {
    return keys.state[row] == EventState.VALUE_CODE && keys.stray[row] == 0;
  }

  /** Returns whether a row of the page is an event of the state connected or disconnected. */
  public boolean isConnection(int row) {
    return keys.state[row] != EventState.VALUE_CODE && keys.stray[row] == 0;
  }

  /**
   * Replaces the columns' rows by some rows of the page of the last {@link #load}.
   *
   * @param rows the rows, counted from the page's first
   * @param columns the columns to decode besides time, state and stray; others have no meaning
   * @param into columns of the chunk's type
   */
  public void read(RowIndices rows, Set<EventColumn> columns, EventColumns into)
      throws IOException {
    if (reused && !into.waveform() && into.type() != ValueType.STRING) {
      ensureWhole(layout(), columns);
      copyFromWhole(rows, into);
    } else {
      pageReader.readRows(files.file(), layout(), page, rows, columns, into);
    }
    for (int i = 0; i < rows.count(); i++) {
      into.timeNanos[i] = keys.timeNanos[rows.get(i)];
      into.state[i] = keys.state[rows.get(i)];
      into.stray[i] = keys.stray[rows.get(i)];
    }
  }

  private void ensureWhole(RowGroupLayout layout, Set<EventColumn> columns) throws IOException {
    Chunk open = chunk;
    if (open != null && open.type() != whole.type()) {
      whole = new EventColumns(open.type(), false, 0);
      wholeColumns.clear();
    }
    if (!wholeColumns.containsAll(columns)) {
      EnumSet<EventColumn> more = EnumSet.copyOf(columns);
      more.removeAll(wholeColumns);
      pageReader.read(files.file(), layout, page, page + 1, more, whole);
      wholeColumns.addAll(more);
    }
  }

  private void copyFromWhole(RowIndices rows, EventColumns into) {
    into.ensureRows(rows.count());
    for (int i = 0; i < rows.count(); i++) {
      int row = rows.get(i);
      into.values[i] = whole.values[row];
      into.severity[i] = whole.severity[row];
      into.status[i] = whole.status[row];
      into.segment[i] = whole.segment[row];
      into.latenessNanos[i] = whole.latenessNanos[row];
      into.tie[i] = whole.tie[row];
    }
    into.count = rows.count();
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
    loadedFile = null;
    files.close();
  }
}
