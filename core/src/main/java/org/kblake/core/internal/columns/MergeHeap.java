package org.kblake.core.internal.columns;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Sources of rows that are merged, as a binary heap: the source whose row comes first is at the
 * root. A source moves on while it is the first; then the heap is told. That takes one pass down
 * the heap, where {@link java.util.PriorityQueue} takes one to remove a source and one to add it
 * again. The heap compares keys that all sources have, and so calls no method of theirs: a hot
 * loop, whatever kinds of sources a process merges. For one thread.
 *
 * @param <T> the sources
 */
public final class MergeHeap<T extends MergeHeap.Source> {

  private final Source[] heap;
  private int size;

  /** What is merged: it stands on a row. Rows are ordered by segment, then time, then tie. */
  public abstract static class Source {
    private int segment;
    private long nanos;
    private int tie;

    /**
     * Moves to a row.
     *
     * @param segment rows of earlier segments come first
     * @param nanos in a segment, rows of earlier times come first
     * @param tie at one time, rows of smaller numbers come first
     */
    protected final void standOn(int segment, long nanos, int tie) {
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

    /** Whether a row comes before the one that this source stands on. */
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
   * @param sources each stands on its first row; those without rows are excluded
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

  /** The source whose row comes first. There must be one. */
  @SuppressWarnings("unchecked")
  public T first() {
    return (T) heap[0];
  }

  /** The source whose row comes first of all but {@link #first}; null if there is no other. */
  @SuppressWarnings("unchecked")
  public @Nullable T second() {
    if (size < 2) {
      return null;
    }
    return (T) (size > 2 && heap[2].isBefore(heap[1]) ? heap[2] : heap[1]);
  }

  /**
   * The first source has moved on.
   *
   * @param hasRow whether it stands on a row; otherwise it leaves the heap
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
