package org.kblake.core.internal.log.inspect;

import java.nio.ByteBuffer;
import java.util.function.IntConsumer;
import org.kblake.core.internal.log.pair.IndexFile;
import org.kblake.core.layout.LogLayout;

/** Shows the milestone table of an index. */
final class MilestoneEntries {

  private final IndexFile index;
  private final InspectionListener listener;

  MilestoneEntries(IndexFile index, InspectionListener listener) {
    this.index = index;
    this.listener = listener;
  }

  /**
   * @param most the number of entries shown at most
   * @param afterEntry called after each of them
   */
  void show(int most, IntConsumer afterEntry) {
    listener.heading("milestones");
    LogLayout layout = index.layout();
    ByteBuffer bytes = index.bytes();
    int entries = index.milestoneEntries();
    int shown = Math.min(most, entries);
    for (int i = 0; i < shown; i++) {
      int at = index.entryAt(i);
      listener.structure("milestone " + i);
      StructureFields.show(
          layout.milestoneEntryFields(), layout.milestoneEntryBytes(), bytes, at, at, listener);
      listener.timeOrNot("time", layout.milestoneEntryNanos(bytes, at));
      afterEntry.accept(i);
    }
    listener.counted("milestones", shown, entries);
    showRest(entries);
  }

  private void showRest(int entries) {
    long end = index.milestoneTableOffset() + (long) entries * index.layout().milestoneEntryBytes();
    int limit = index.bytes().limit();
    if (index.milestoneTableOffset() > limit) {
      listener.note(
          "the table is not written yet: offset="
              + index.milestoneTableOffset()
              + ", the index ends at "
              + limit);
    } else if (end < limit) {
      listener.structure("behind them");
      ShownBytes rest = ShownBytes.of(index.bytes(), (int) end, end, limit - end);
      listener.field(rest, "not written yet", "");
    }
  }
}
