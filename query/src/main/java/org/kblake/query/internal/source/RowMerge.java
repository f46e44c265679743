package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.MergeHeap;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * Merges the rows of cursors into runs. A run has the first row, and all next rows of the same
 * cursor that precede the first rows of the others.
 */
final class RowMerge<C extends RowMergeCursor> implements Closeable {

  private final List<C> all;
  private @Nullable MergeHeap<C> heap;
  private int runEnd;

  /**
   * @param cursors the cursors; closed with this object
   */
  RowMerge(List<C> cursors) {
    all = List.copyOf(cursors);
  }

  private MergeHeap<C> begin() throws IOException {
    List<C> begun = new ArrayList<>();
    for (C cursor : all) {
      if (cursor.goTo(cursor.row())) {
        begun.add(cursor);
      }
    }
    return new MergeHeap<>(begun);
  }

  /**
   * Moves to the next run.
   *
   * @return the cursor on the first row of the run; null if there is none
   */
  @Nullable C next() throws IOException {
    MergeHeap<C> merged = heap;
    if (merged == null) {
      merged = begin();
      heap = merged;
    } else if (!merged.isEmpty()) {
      merged.firstMoved(merged.first().goTo(runEnd));
    }
    if (merged.isEmpty()) {
      return null;
    }
    C cursor = merged.first();
    C other = merged.second();
    runEnd = other == null ? cursor.end() : cursor.endOfRunBefore(other);
    return cursor;
  }

  /** Returns the row after the last of the run. */
  int to() {
    return runEnd;
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }
}
