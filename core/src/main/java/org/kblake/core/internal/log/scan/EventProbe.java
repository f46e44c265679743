package org.kblake.core.internal.log.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventCheck;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/**
 * Looks at single events of a log, for all walks over stretches in which {@link HeaderWalk} stops:
 * those that are damaged, not written yet, or shown by inspect. Whoever asks knows that the header
 * of the event is within the data, or the whole of it where that is said.
 */
public final class EventProbe {

  private final LogLayout layout;
  private final EventCheck check;
  private final MilestoneBody body;
  private final LogWindow window;

  public EventProbe(LogLayout layout, EventRules rules, LogWindow window) {
    this.layout = layout;
    this.window = window;
    check = new EventCheck(layout, rules);
    body = new MilestoneBody(layout, rules, window);
  }

  private int showHeader(long offset) throws IOException {
    return window.show(offset, layout.eventHeaderBytes());
  }

  /** What the header says of the length; 0 where nothing is written. */
  public int length(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.length(window.buffer(), at);
  }

  public int id(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.id(window.buffer(), at);
  }

  public boolean isMilestone(long offset) throws IOException {
    return id(offset) == LogLayout.MILESTONE_ID;
  }

  /** The event's time, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.nanos(window.buffer(), at);
  }

  /** As {@link EventCheck#headerFault}. */
  public @Nullable String headerFault(long offset) throws IOException {
    int at = showHeader(offset);
    return check.headerFault(window.buffer(), at);
  }

  /** As {@link EventCheck#fault}; the state is within the data, too. */
  public @Nullable String fault(long offset) throws IOException {
    int at = window.show(offset, layout.recordHeaderBytes());
    return check.fault(window.buffer(), at);
  }

  /**
   * What is wrong with an event whose id is that of a milestone, or null.
   *
   * @param dataBytes a body that reaches past it is not looked at
   */
  @Nullable String milestoneFault(long offset, long dataBytes) throws IOException {
    String fault = headerFault(offset);
    if (fault == null) {
      fault = timeFault(offset);
    }
    long end = offset + length(offset);
    return fault == null && end <= dataBytes ? bodyFault(offset, end) : fault;
  }

  /** What is wrong with an event's time, or null. */
  public @Nullable String timeFault(long offset) throws IOException {
    return nanos(offset) == LogLayout.IMPOSSIBLE_NANOS
        ? "an impossible time, expected less than 10^9 nanoseconds in a second"
        : null;
  }

  /** As {@link MilestoneBody#fault}. */
  public @Nullable String bodyFault(long offset, long endOffset) throws IOException {
    return body.fault(offset, endOffset);
  }
}
