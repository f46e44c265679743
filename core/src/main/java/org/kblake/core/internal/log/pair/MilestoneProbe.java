package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/** A reader of single event headers of a log, which checks whether they are those of milestones. */
public final class MilestoneProbe {

  private final LogLayout layout;
  private final EventRules rules;
  private final LogFile log;
  private final @Nullable LogWindow window;
  private final ByteBuffer header;

  public MilestoneProbe(LogLayout layout, EventRules rules, LogFile log, ByteOrder order) {
    this(layout, rules, log, null, order);
  }

  /**
   * @param window the bytes of the log that are in memory, from which headers are taken without a
   *     read; null for none
   */
  MilestoneProbe(
      LogLayout layout,
      EventRules rules,
      LogFile log,
      @Nullable LogWindow window,
      ByteOrder order) {
    this.layout = layout;
    this.window = window;
    this.rules = rules;
    this.log = log;
    header = ByteBuffer.allocate(layout.eventHeaderBytes()).order(order);
  }

  /** Reads the header at an offset. The whole header must lie within the log. */
  public void at(long offset) throws IOException {
    header.clear();
    if (window == null || !window.copyShown(header, offset)) {
      log.readFully(header, offset);
    }
  }

  /** Returns whether the header has the id and a possible length of a milestone. */
  public boolean isMilestone() {
    return layout.id(header, 0) == LogLayout.MILESTONE_ID
        && rules.isMilestoneLength(layout.length(header, 0));
  }

  /** Returns the header's time, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos() {
    return layout.nanos(header, 0);
  }
}
