package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/** Looks at single event headers of a log, to see whether there is a milestone. */
public final class MilestoneProbe {

  private final LogLayout layout;
  private final EventRules rules;
  private final LogFile log;
  private final ByteBuffer header;

  public MilestoneProbe(LogLayout layout, EventRules rules, LogFile log, ByteOrder order) {
    this.layout = layout;
    this.rules = rules;
    this.log = log;
    header = ByteBuffer.allocate(layout.eventHeaderBytes()).order(order);
  }

  /** Reads the header at an offset, all of which lies within the log. */
  public void at(long offset) throws IOException {
    log.readFully(header.clear(), offset);
  }

  /** Whether id and length are those of a milestone. */
  public boolean isMilestone() {
    return layout.id(header, 0) == LogLayout.MILESTONE_ID
        && rules.isMilestoneLength(layout.length(header, 0));
  }

  /** The header's time, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos() {
    return layout.nanos(header, 0);
  }
}
