package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;

/**
 * The events of several groups, merged by time: of the groups' next events the earliest comes
 * first, at one time the group that was named first. Each group keeps its own order.
 */
public final class MergedGroups extends DelegatedRuns {

  private final RunMerge<GroupCursor> merge;

  /** A group's run, and how much of it was given. */
  private static final class GroupCursor extends RunCursor {
    private final EventRuns source;
    private final int number;

    GroupCursor(EventRuns source, int number) {
      super(0, 0);
      this.source = source;
      this.number = number;
    }

    @Override
    EventColumns columns() {
      return source.columns();
    }

    @Override
    boolean nextRun() throws IOException {
      if (!source.next()) {
        return false;
      }
      begin(source.from(), source.to());
      return true;
    }

    @Override
    void standOn(int at) {
      standOn(0, columns().timeNanos[at], number);
    }

    @Override
    int endOfRunBefore(MergeHeap.Source other) {
      long[] times = columns().timeNanos;
      int end = end();
      int at = row() + 1;
      while (at < end && other.isBehind(0, times[at], number)) {
        at++;
      }
      return at;
    }

    @Override
    public void close() throws IOException {
      source.close();
    }
  }

  /**
   * @param groups closed with this
   */
  public MergedGroups(List<EventRuns> groups) {
    List<GroupCursor> cursors = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      cursors.add(new GroupCursor(groups.get(i), i));
    }
    merge = new RunMerge<>(cursors);
  }

  @Override
  public boolean next() throws IOException {
    return merge.next();
  }

  @Override
  EventRuns source() {
    return merge.cursor().source;
  }

  @Override
  public int from() {
    return merge.cursor().row();
  }

  @Override
  public int to() {
    return merge.to();
  }

  @Override
  public void close() throws IOException {
    merge.close();
  }
}
