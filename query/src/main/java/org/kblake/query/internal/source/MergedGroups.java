package org.kblake.query.internal.source;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.file.FirstFailure;

/**
 * The events of several groups, merged by time: of the groups' next events the earliest comes
 * first, at one time the group that was named first. Each group keeps its own order.
 */
public final class MergedGroups implements EventRuns {

  private final List<EventRuns> all;

  /** A binary heap by the next event's time, then by number. */
  private final Head[] heap;

  private int size;
  private int runEnd;
  private boolean begun;

  /** A group's run, and how much of it was given. */
  private static final class Head {
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

    boolean isBefore(Head other) {
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
    heap = new Head[groups.size()];
  }

  @Override
  public boolean next() throws IOException {
    if (!begun) {
      begun = true;
      for (int i = 0; i < all.size(); i++) {
        Head head = new Head(all.get(i), i);
        if (head.goTo(0)) {
          heap[size++] = head;
        }
      }
      for (int i = size / 2 - 1; i >= 0; i--) {
        sink(i);
      }
    } else if (size > 0) {
      if (!heap[0].goTo(runEnd)) {
        heap[0] = heap[--size];
      }
      sink(0);
    }
    if (size == 0) {
      return false;
    }
    runEnd = size == 1 ? heap[0].end : heap[0].endOfRunBefore(leastOfOthers());
    return true;
  }

  private Head leastOfOthers() {
    return size > 2 && heap[2].isBefore(heap[1]) ? heap[2] : heap[1];
  }

  private void sink(int from) {
    int at = from;
    Head moved = heap[at];
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

  @Override
  public EventColumns columns() {
    return heap[0].source.columns();
  }

  @Override
  public int from() {
    return heap[0].row;
  }

  @Override
  public int to() {
    return runEnd;
  }

  @Override
  public int channel() {
    return heap[0].source.channel();
  }

  @Override
  public int group() {
    return heap[0].source.group();
  }

  @Override
  public long orderKey(int row) throws IOException {
    return heap[0].source.orderKey(row);
  }

  @Override
  public void close() throws IOException {
    FirstFailure.closeAll(all.toArray(Closeable[]::new));
  }
}
