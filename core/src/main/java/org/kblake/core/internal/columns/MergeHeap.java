package org.kblake.core.internal.columns;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * A binary heap of the sources of rows that are merged. The source whose row comes first is at the
 * root. The caller moves this source to its next row, and then calls {@link #firstMoved}. That
 * takes one pass down the heap. {@link java.util.PriorityQueue} takes one pass to remove a source
 * and another to add it again. The heap compares keys in fields of {@link Source} and calls no
 * overridden method, so that the loop stays fast whatever kinds of sources a process merges. For
 * one thread.
 *
 * @param <T> the sources
 */
public final class MergeHeap<T extends MergeHeap.Source> {

  private final Source[] heap;
  private int size;

  /** A source of rows, with one current row. Rows are ordered by segment, then time, then tie. */
  public abstract static class Source {
    private int segment;
    private long nanos;
    private int tie;

    /**
     * Moves to a row.
     *
     * @param segment the row's segment; rows of earlier segments come first
     * @param nanos the row's time; in a segment, rows of earlier times come first
     * @param tie the row's tie; at one time, rows of smaller ties come first
     */
    protected final void moveTo(int segment, long nanos, int tie) {
      this.segment = segment;
      this.nanos = nanos;
      this.tie = tie;
    }

    public final int segment() {
      return segment;
    }

    public final long nanos() {
      return nanos;
    }

    public final int tie() {
      return tie;
    }

    /** Returns whether a given row comes before the current row of this source. */
    public final boolean isBehind(int otherSegment, long otherNanos, int otherTie) {
      if (otherSegment != segment) {
        return otherSegment < segment;
      }
      return otherNanos == nanos ? otherTie < tie : otherNanos < nanos;
    }

    private boolean isBefore(Source other) {
      return other.isBehind(segment, nanos, tie);
    }
  }

  /**
   * @param sources the sources that have rows, each at its first row
   */
  public MergeHeap(Collection<T> sources) {
    heap = sources.toArray(new Source[0]);
    size = heap.length;
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  public boolean isEmpty() {
    return size == 0;
  }

  /** Returns the source whose row comes first. The heap must not be empty. */
  @SuppressWarnings("unchecked")
  public T first() {
    return (T) heap[0];
  }

  /**
   * Returns the source whose row comes first after that of {@link #first}, or null if there is no
   * other source.
   */
  @SuppressWarnings("unchecked")
  public @Nullable T second() {
    if (size < 2) {
      return null;
    }
    return (T) (size > 2 && heap[2].isBefore(heap[1]) ? heap[2] : heap[1]);
  }

  /**
   * Restores the order after the first source has moved to its next row.
   *
   * @param hasRow whether the source has a row; otherwise it is removed
   */
  public void firstMoved(boolean hasRow) {
    if (!hasRow) {
      heap[0] = heap[--size];
    }
    sink(0);
  }

  private void sink(int from) {
    Source[] heap = this.heap;
    int size = this.size;
    Source sinking = heap[from];
    int at = from;
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && heap[child + 1].isBefore(heap[child])) {
        child++;
      }
      if (!heap[child].isBefore(sinking)) {
        break;
      }
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = sinking;
  }
}
