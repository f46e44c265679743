package org.kblake.query.internal.source;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;
import org.kblake.core.internal.store.chunk.ChunkReader;

/**
 * A cursor over the rows of one chunk, for merging chunks into log order. Its rows are all in
 * memory, or a reader decodes them page by page.
 */
final class ChunkCursor extends RowMergeCursor {

  private final EventColumns columns;
  private final int channel;
  private final @Nullable ChunkReader reader;

  private ChunkCursor(
      EventColumns columns, int row, int end, int channel, @Nullable ChunkReader reader) {
    super(row, end);
    this.columns = columns;
    this.channel = channel;
    this.reader = reader;
  }

  /** Returns a cursor over rows in memory, at least one. */
  static ChunkCursor over(EventColumns columns, int from, int to, int channel) {
    return new ChunkCursor(columns, from, to, channel, null);
  }

  /** Returns a cursor over the rows of a reader, which is closed with the cursor. */
  static ChunkCursor streaming(EventColumns columns, int channel, ChunkReader reader) {
    return new ChunkCursor(columns, 0, 0, channel, reader);
  }

  @Override
  EventColumns columns() {
    return columns;
  }

  int channel() {
    return channel;
  }

  @Override
  int endBefore(MergeHeap.Source other) {
    int end = end();
    int at = row() + 1;
    while (at < end && other.isBehind(columns.segment[at], orderNanos(at), columns.tie[at])) {
      at++;
    }
    return at;
  }

  @Override
  boolean nextRows() throws IOException {
    if (reader == null || !reader.next(columns)) {
      return false;
    }
    begin(0, columns.count);
    return true;
  }

  @Override
  void moveTo(int at) {
    moveTo(columns.segment[at], orderNanos(at), columns.tie[at]);
  }

  private long orderNanos(int at) {
    return columns.timeNanos[at] + columns.latenessNanos[at];
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
