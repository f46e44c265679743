package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.columns.MergeHeap;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * Merges the rows of cursors. Adjacent rows come together: the first row, and all next rows of the
 * same cursor that precede the first rows of the others.
 */
final class RowMerge<C extends RowMergeCursor> implements Closeable {

  private final List<C> all;
  private @Nullable MergeHeap<C> heap;
  private int end;

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
   * Moves to the next rows.
   *
   * @return the cursor on the first of these rows; null if there are none
   */
  @Nullable C next() throws IOException {
    MergeHeap<C> merged = heap;
    if (merged == null) {
      merged = begin();
      heap = merged;
    } else if (!merged.isEmpty()) {
      merged.firstMoved(merged.first().goTo(end));
    }
    if (merged.isEmpty()) {
      return null;
    }
    C cursor = merged.first();
    C other = merged.second();
    end = other == null ? cursor.end() : cursor.endBefore(other);
    return cursor;
  }

  /** Returns the row after the last of the present ones. */
  int to() {
    return end;
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }
}
