package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * Brings rows of several chunks of a block into log order.
 *
 * <p>Runs are taken whole: after the least row, as many of the same cursor as come before the least
 * of the others.
 */
final class ChunkMerge implements Closeable {

  private final List<ChunkCursor> all = new ArrayList<>();
  private final MergeHeap<ChunkCursor> heap;
  private int runEnd;
  private boolean begun;

  /**
   * @param cursors closed with this
   */
  ChunkMerge(List<ChunkCursor> cursors) {
    all.addAll(cursors);
    heap = new MergeHeap<>(new ChunkCursor[cursors.size()]);
  }

  private void begin() throws IOException {
    for (ChunkCursor cursor : all) {
      if (cursor.row() < cursor.end() || cursor.goTo(cursor.end())) {
        heap.add(cursor);
      }
    }
    heap.order();
  }

  boolean next() throws IOException {
    if (!begun) {
      begun = true;
      begin();
    } else if (heap.size() > 0) {
      heap.moved(heap.least().goTo(runEnd));
    }
    if (heap.size() == 0) {
      return false;
    }
    ChunkCursor least = heap.least();
    runEnd = heap.size() == 1 ? least.end() : least.endOfRunBefore(heap.leastOfOthers());
    return true;
  }

  EventColumns columns() {
    return heap.least().columns();
  }

  int from() {
    return heap.least().row();
  }

  int to() {
    return runEnd;
  }

  int channel() {
    return heap.least().channel();
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }
}
