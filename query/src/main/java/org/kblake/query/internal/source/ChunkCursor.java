package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;
import org.kblake.core.internal.store.chunk.ChunkReader;

/**
 * The next row of one chunk among the rows of others. Either its rows are all in memory, or a
 * reader brings them page by page.
 */
final class ChunkCursor implements MergeHeap.Source<ChunkCursor>, Closeable {

  private final EventColumns columns;
  private final int channel;
  private final @Nullable ChunkReader reader;
  private int row;
  private int end;

  private int segment;
  private long order;
  private int tie;

  private ChunkCursor(
      EventColumns columns, int row, int end, int channel, @Nullable ChunkReader reader) {
    this.columns = columns;
    this.channel = channel;
    this.reader = reader;
    this.row = row;
    this.end = end;
  }

  /** Over rows in memory, one at least. */
  static ChunkCursor over(EventColumns columns, int from, int to, int channel) {
    ChunkCursor cursor = new ChunkCursor(columns, from, to, channel, null);
    cursor.readKey();
    return cursor;
  }

  /** Over what a reader brings, which is closed with the cursor. Begins before the first row. */
  static ChunkCursor streaming(EventColumns columns, int channel, ChunkReader reader) {
    return new ChunkCursor(columns, 0, 0, channel, reader);
  }

  EventColumns columns() {
    return columns;
  }

  int channel() {
    return channel;
  }

  int row() {
    return row;
  }

  /**
   * The row behind the last that comes before another cursor's row; the columns have it. One row at
   * least.
   */
  int endOfRunBefore(ChunkCursor other) {
    int at = row + 1;
    while (at < end && isBefore(at, other)) {
      at++;
    }
    return at;
  }

  /** The row behind the last that is in memory. */
  int end() {
    return end;
  }

  private boolean isBefore(int at, ChunkCursor other) {
    int bySegment = Integer.compare(columns.segment[at], other.segment);
    if (bySegment != 0) {
      return bySegment < 0;
    }
    int byTime = Long.compare(columns.timeNanos[at] + columns.latenessNanos[at], other.order);
    return byTime != 0 ? byTime < 0 : columns.tie[at] < other.tie;
  }

  /** In log order. */
  @Override
  public boolean isBefore(ChunkCursor other) {
    if (segment != other.segment) {
      return segment < other.segment;
    }
    if (order != other.order) {
      return order < other.order;
    }
    return tie < other.tie;
  }

  /**
   * Goes to a row, or, if it is behind the last in memory, to the next that the reader brings.
   *
   * @return false if there is none
   */
  boolean goTo(int next) throws IOException {
    row = next;
    if (row == end) {
      if (reader == null || !reader.next(columns)) {
        return false;
      }
      row = 0;
      end = columns.count;
    }
    readKey();
    return true;
  }

  private void readKey() {
    segment = columns.segment[row];
    order = columns.timeNanos[row] + columns.latenessNanos[row];
    tie = columns.tie[row];
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.close();
    }
  }
}
