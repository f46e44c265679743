package org.kblake.core.internal.columns;

/**
 * Merges sources of rows: a binary heap of them, with the source of the least row on top. A source
 * may give its rows up to {@link #leastOfOthers} before the heap is put in order again.
 *
 * @param <S> the sources
 */
public final class MergeHeap<S extends MergeHeap.Source<S>> {

  /** Stands on a row. */
  public interface Source<S> {

    /** Whether this row comes before the other's. */
    boolean isBefore(S other);
  }

  private final S[] heap;
  private int size;

  /**
   * @param room for all sources; its content is of no account
   */
  public MergeHeap(S[] room) {
    heap = room;
  }

  /** Adds a source. The heap is not in order until {@link #order} is called. */
  public void add(S source) {
    heap[size++] = source;
  }

  /** Puts all sources in order. */
  public void order() {
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  public int size() {
    return size;
  }

  /** The source of the least row. */
  public S least() {
    return heap[0];
  }

  /**
   * The source of the least row of all but the first: one of the root's children. Of two at least.
   */
  public S leastOfOthers() {
    return size > 2 && heap[2].isBefore(heap[1]) ? heap[2] : heap[1];
  }

  /**
   * The least source went on.
   *
   * @param more whether it stands on a row again; else it is removed
   */
  public void moved(boolean more) {
    if (!more) {
      heap[0] = heap[--size];
    }
    sink(0);
  }

  private void sink(int from) {
    S[] all = heap;
    int at = from;
    S moved = all[at];
    for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && all[child + 1].isBefore(all[child])) {
        child++;
      }
      if (!all[child].isBefore(moved)) {
        break;
      }
      all[at] = all[child];
      at = child;
    }
    all[at] = moved;
  }
}
