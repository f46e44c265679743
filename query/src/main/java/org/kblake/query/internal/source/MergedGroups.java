package org.kblake.query.internal.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.MergeHeap;

/**
 * The events of several groups, merged by time. The earliest of the groups' next events comes
 * first. At equal times, the group that was requested first comes first. Each group keeps its own
 * order.
 */
public final class MergedGroups extends EventRows {

  private final List<EventRows> groups;
  private final RowMerge<GroupCursor> merge;

  /** A cursor over a group's rows. */
  private static final class GroupCursor extends RowMergeCursor {
    private final EventRows source;
    private final int number;

    GroupCursor(EventRows source, int number) {
      super(0, 0);
      this.source = source;
      this.number = number;
    }

    @Override
    EventColumns columns() {
      return source.columns();
    }

    @Override
    boolean nextRows() throws IOException {
      if (!source.next()) {
        return false;
      }
      begin(source.from(), source.to());
      return true;
    }

    @Override
    void moveTo(int at) {
      moveTo(0, columns().timeNanos[at], number);
    }

    @Override
    int endBefore(MergeHeap.Source other) {
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

  /** Returns the merged events of groups, or the events of the only one. */
  public static EventRows of(List<EventRows> groups) {
    return groups.size() == 1 ? groups.get(0) : new MergedGroups(groups);
  }

  /**
   * @param groups the events of each group; closed with this source
   */
  public MergedGroups(List<EventRows> groups) {
    this.groups = List.copyOf(groups);
    List<GroupCursor> cursors = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      cursors.add(new GroupCursor(groups.get(i), i));
    }
    merge = new RowMerge<>(cursors);
  }

  @Override
  public boolean next() throws IOException {
    GroupCursor cursor = merge.next();
    return cursor != null
        && moveTo(
            cursor.columns(),
            cursor.row(),
            merge.to(),
            cursor.source.channel(),
            cursor.source.group());
  }

  @Override
  public AnswerPosition.@Nullable Point position(int group, long rows) throws IOException {
    return groups.get(group).position(group, rows);
  }

  @Override
  public void close() throws IOException {
    merge.close();
  }
}
