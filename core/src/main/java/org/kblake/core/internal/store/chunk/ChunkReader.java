package org.kblake.core.internal.store.chunk;

import java.io.Closeable;
import java.io.IOException;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.read.EventPageReader;
import org.kblake.core.internal.store.file.FileByteSource;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.model.TimeRange;

/**
 * Reads a chunk's events of a range in log order, in batches. Pages without events of the range are
 * skipped by their times. Reusable for one chunk after another, not thread safe. It has buffers,
 * and open files between open and close.
 */
public final class ChunkReader implements Closeable {

  /** The number of pages that are decoded at a time, which limits the memory of a read. */
  private static final int PAGES_AT_ONCE = 16;

  /** The largest number of rows of a batch. */
  public static final int MAX_ROWS = PAGES_AT_ONCE * EventColumns.PAGE_ROWS;

  private final ChunkFiles files;
  private final EventPageReader pageReader = new EventPageReader();
  private final RowSelection selection = new RowSelection();
  private final EnumSet<EventColumn> wanted;

  /**
   * The page that consecutive chunks share; null if chunks are not read in the order of their rows.
   */
  private final @Nullable SharedPage shared;

  private EnumSet<EventColumn> decoded = EnumSet.noneOf(EventColumn.class);

  private ChunkRead request =
      new ChunkRead(null, new TimeRange(0, 0), 0, 0, null, false, false); // until the first open
  private @Nullable RowGroupLayout pages;
  private int nextPage;
  private int firstRow;

  /** A chunk, and the rows of it that are read. */
  private record ChunkRead(
      @Nullable Chunk chunk,
      TimeRange range,
      int fromSegment,
      int toSegment,
      @Nullable BitSet straysOf,
      boolean allSegments,
      boolean wholePages) {

    boolean wants(EventColumns rows, int row) {
      if (!allSegments && (rows.segment[row] < fromSegment || rows.segment[row] >= toSegment)) {
        return false;
      }
      return rows.stray[row] == 0
          ? range.contains(rows.timeNanos[row])
          : straysOf != null && straysOf.get(rows.segment[row]);
    }
  }

  /** Creates a reader of every column. */
  public ChunkReader() {
    this(EnumSet.allOf(EventColumn.class));
  }

  /** Creates a reader of every column that reads pages at a pace. */
  public ChunkReader(Pace pace) {
    this(EnumSet.allOf(EventColumn.class), pace, null);
  }

  /**
   * Creates a reader that decodes a page once for all small chunks that share it, if these are read
   * in the order of their rows. It needs memory for one more page.
   *
   * @param wanted the columns to decode, as for other readers
   */
  public static ChunkReader ofNeighbours(Set<EventColumn> wanted) {
    return new ChunkReader(wanted, Pace.FREE, new SharedPage());
  }

  /**
   * @param wanted the columns to decode; the arrays of other columns stay unchanged. Time and stray
   *     are always decoded, segment if only some segments are read
   */
  public ChunkReader(Set<EventColumn> wanted) {
    this(wanted, Pace.FREE, null);
  }

  private ChunkReader(Set<EventColumn> wanted, Pace pace, @Nullable SharedPage shared) {
    this.shared = shared;
    files = new ChunkFiles(pace);
    this.wanted = EnumSet.of(EventColumn.TIME, EventColumn.STRAY);
    this.wanted.addAll(wanted);
  }

  /**
   * Opens a chunk.
   *
   * @param chunk a chunk of this block
   * @param range the times of the requested events that are not strays
   * @param fromSegment the first requested segment, by its number in the block
   * @param toSegment the segment behind the last
   * @param straysOf the segments whose strays are requested, whatever their time; null for none
   */
  public void open(
      BlockChunks block,
      Chunk chunk,
      TimeRange range,
      int fromSegment,
      int toSegment,
      @Nullable BitSet straysOf)
      throws IOException {
    boolean allSegments = fromSegment <= 0 && toSegment >= block.segments();
    open(
        block,
        new ChunkRead(chunk, range, fromSegment, toSegment, straysOf, allSegments, false),
        chunk);
  }

  /**
   * Opens consecutive rows of a row group, of one channel or of several. {@link #next} returns all
   * rows, strays included, of pages that may have events of the range. {@link #firstRow} returns
   * the position of these rows.
   *
   * @param rows the position of the rows; the channel's name is ignored
   * @param range the requested times, {@link TimeRange#ALL} for every row
   */
  public void openRows(BlockChunks block, Chunk rows, TimeRange range) throws IOException {
    open(block, new ChunkRead(rows, range, 0, block.segments(), null, true, true), rows);
  }

  private void open(BlockChunks block, ChunkRead asked, Chunk chunk) throws IOException {
    pages = files.open(block, chunk);
    request = asked;
    decoded = EnumSet.copyOf(wanted);
    if (!asked.allSegments || asked.straysOf != null) {
      decoded.add(EventColumn.SEGMENT);
    }
    nextPage = 0;
  }

  /**
   * Replaces the columns' rows by the next ones of the chunk.
   *
   * @param into columns of the chunk's type
   * @return false, with no rows, behind the last row
   * @throws CorruptBlockException if the block's files are damaged
   */
  public boolean next(EventColumns into) throws IOException {
    RowGroupLayout layout = pages;
    Chunk chunk = request.chunk;
    into.count = 0;
    if (layout == null || chunk == null) {
      return false;
    }
    FileByteSource source = files.file();
    while (nextPage < layout.pages()) {
      while (nextPage < layout.pages() && !mayHold(layout, nextPage)) {
        nextPage++;
      }
      int first = nextPage;
      int end = first;
      while (end < layout.pages()
          && end - first < PAGES_AT_ONCE
          && mayHold(layout, end)
          && (end == first || !isShared(layout, first) && !isShared(layout, end))) {
        end++;
      }
      nextPage = end;
      if (end > first) {
        read(source, layout, chunk, first, end, into);
        firstRow = Math.max(chunk.firstRow(), layout.pageRows()[first]);
        if (into.count > 0) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether a page must be kept for the next chunk. */
  private boolean isShared(RowGroupLayout layout, int page) {
    Chunk chunk = request.chunk;
    return shared != null && chunk != null && SharedPage.isShared(layout, chunk, page);
  }

  private void read(
      FileByteSource source,
      RowGroupLayout layout,
      Chunk chunk,
      int firstPage,
      int endPage,
      EventColumns into)
      throws IOException {
    SharedPage kept = shared;
    if (kept != null && isShared(layout, firstPage)) {
      int origin = kept.read(pageReader, source, layout, chunk, firstPage, decoded, into);
      select(layout, chunk, firstPage, endPage, origin, into);
    } else {
      pageReader.read(source, layout, firstPage, endPage, decoded, into);
      select(layout, chunk, firstPage, endPage, layout.pageRows()[firstPage], into);
    }
  }

  /**
   * Returns the position of the first row of the batch after {@link #openRows}, counted from the
   * row group's first.
   */
  public int firstRow() {
    return firstRow;
  }

  private boolean mayHold(RowGroupLayout layout, int page) {
    Chunk chunk = request.chunk;
    if (chunk == null
        || layout.pageRows()[page + 1] <= chunk.firstRow()
        || layout.pageRows()[page] >= chunk.firstRow() + chunk.rows()) {
      return false;
    }
    if ((request.straysOf != null || request.wholePages) && !noStrays(layout)) {
      return true;
    }
    return request.range.meets(layout.pageMinNanos()[page], layout.pageMaxNanos()[page]);
  }

  private static boolean noStrays(RowGroupLayout layout) {
    Long constant = layout.column(EventColumn.STRAY).constant();
    return constant != null && constant == 0;
  }

  /**
   * @param origin the position of the first row of the batch, counted from the row group's first
   */
  private void select(
      RowGroupLayout layout,
      Chunk chunk,
      int firstPage,
      int endPage,
      int origin,
      EventColumns rows) {
    int[] pageRows = layout.pageRows();
    int from = Math.max(0, chunk.firstRow() - origin);
    int to = Math.min(rows.count, chunk.firstRow() + chunk.rows() - origin);
    selection.clear();
    if (request.wholePages) {
      selection.addRows(from, Math.max(from, to));
    } else {
      boolean noStrays = noStrays(layout);
      for (int page = firstPage; page < endPage; page++) {
        int first = Math.max(from, pageRows[page] - origin);
        int end = Math.min(to, pageRows[page + 1] - origin);
        if (first < end) {
          if (noStrays && allTimesWanted(layout, page) && allSegmentsWanted(rows, first, end)) {
            selection.addRows(first, end);
          } else {
            selectRows(rows, first, end);
          }
        }
      }
    }
    selection.applyTo(rows);
  }

  private void selectRows(EventColumns rows, int from, int to) {
    for (int row = from; row < to; row++) {
      if (request.wants(rows, row)) {
        selection.add(row);
      }
    }
  }

  private boolean allTimesWanted(RowGroupLayout layout, int page) {
    return layout.pageMinNanos()[page] >= request.range.fromNanos()
        && layout.pageMaxNanos()[page] < request.range.toNanos();
  }

  /**
   * Returns whether the segments of all rows are requested. Rows are in log order, so the first and
   * last row suffice.
   */
  private boolean allSegmentsWanted(EventColumns rows, int from, int to) {
    return request.allSegments
        || rows.segment[from] >= request.fromSegment && rows.segment[to - 1] < request.toSegment;
  }

  @Override
  public void close() throws IOException {
    pages = null;
    files.close();
  }
}
