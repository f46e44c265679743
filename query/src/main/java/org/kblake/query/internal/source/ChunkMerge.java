package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * Brings rows of several chunks of a block into log order.
 *
 * <p>A binary heap of cursors. Runs are taken whole: after the least row, as many of the same
 * cursor as come before the least of the others, which is one of the root's two children.
 */
final class ChunkMerge implements Closeable {

  private final List<ChunkCursor> all = new ArrayList<>();
  private final ChunkCursor[] heap;
  private int size;
  private int runEnd;
  private boolean begun;

  /**
   * @param cursors closed with this
   */
  ChunkMerge(List<ChunkCursor> cursors) {
    all.addAll(cursors);
    heap = new ChunkCursor[cursors.size()];
  }

  private void begin() throws IOException {
    for (ChunkCursor cursor : all) {
      if (cursor.row() < cursor.end() || cursor.goTo(cursor.end())) {
        heap[size++] = cursor;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  boolean next() throws IOException {
    if (!begun) {
      begun = true;
      begin();
    } else if (size > 0) {
      if (!heap[0].goTo(runEnd)) {
        heap[0] = heap[--size];
      }
      sink(0);
    }
    if (size == 0) {
      return false;
    }
    runEnd = size == 1 ? heap[0].end() : heap[0].endOfRunBefore(leastOfOthers());
    return true;
  }

  private ChunkCursor leastOfOthers() {
    return size > 2 && heap[2].isBefore(heap[1]) ? heap[2] : heap[1];
  }

  private void sink(int from) {
    int at = from;
    ChunkCursor moved = heap[at];
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(moved)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = moved;
  }

  EventColumns columns() {
    return heap[0].columns();
  }

  int from() {
    return heap[0].row();
  }

  int to() {
    return runEnd;
  }

  int channel() {
    return heap[0].channel();
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }
}
