package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * The events of several groups, merged by time: of the groups' next events the earliest comes
 * first, at one time the group that was named first. Each group keeps its own order.
 */
public final class MergedGroups implements EventRuns {

  private final List<EventRuns> all;

  /** By the next event's time, then by number. */
  private final MergeHeap<Head> heap;

  private int runEnd;
  private boolean begun;

  /** A group's run, and how much of it was given. */
  private static final class Head implements MergeHeap.Source<Head> {
    private final EventRuns source;
    private final int number;
    private int row;
    private int end;
    private long nanos;

    Head(EventRuns source, int number) {
      this.source = source;
      this.number = number;
    }

    boolean goTo(int next) throws IOException {
      row = next;
      if (row == end) {
        if (!source.next()) {
          return false;
        }
        row = source.from();
        end = source.to();
      }
      nanos = source.columns().timeNanos[row];
      return true;
    }

    @Override
    public boolean isBefore(Head other) {
      return nanos < other.nanos || nanos == other.nanos && number < other.number;
    }

    int endOfRunBefore(Head other) {
      long[] times = source.columns().timeNanos;
      int at = row + 1;
      while (at < end
          && (times[at] < other.nanos || times[at] == other.nanos && number < other.number)) {
        at++;
      }
      return at;
    }
  }

  /**
   * @param groups closed with this
   */
  public MergedGroups(List<EventRuns> groups) {
    all = List.copyOf(groups);
    heap = new MergeHeap<>(new Head[groups.size()]);
  }

  @Override
  public boolean next() throws IOException {
    if (!begun) {
      begun = true;
      for (int i = 0; i < all.size(); i++) {
        Head head = new Head(all.get(i), i);
        if (head.goTo(0)) {
          heap.add(head);
        }
      }
      heap.order();
    } else if (heap.size() > 0) {
      heap.moved(heap.least().goTo(runEnd));
    }
    if (heap.size() == 0) {
      return false;
    }
    Head least = heap.least();
    runEnd = heap.size() == 1 ? least.end : least.endOfRunBefore(heap.leastOfOthers());
    return true;
  }

  @Override
  public EventColumns columns() {
    return heap.least().source.columns();
  }

  @Override
  public int from() {
    return heap.least().row;
  }

  @Override
  public int to() {
    return runEnd;
  }

  @Override
  public int channel() {
    return heap.least().source.channel();
  }

  @Override
  public int group() {
    return heap.least().source.group();
  }

  @Override
  public long orderKey(int row) throws IOException {
    return heap.least().source.orderKey(row);
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }
}
