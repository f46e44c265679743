package org.kblake.core.internal.log.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.layout.EventCheck;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/**
 * A reader of single events of a log. All walks use it for stretches in which {@link HeaderWalk}
 * stops: damaged events and unwritten bytes. Inspect uses it for the events that it shows. The
 * caller ensures that the event header lies within the data, or the whole event where a method
 * requires it.
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

  /** Returns the length in the event header; 0 if nothing is written there. */
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

  /** Returns the event's time, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.nanos(window.buffer(), at);
  }

  /** Returns the fault of a header as {@link EventCheck#headerFault} does. */
  public @Nullable String headerFault(long offset) throws IOException {
    int at = showHeader(offset);
    return check.headerFault(window.buffer(), at);
  }

  /**
   * Returns the fault of an event, like {@link EventCheck#fault}. Its state must be in the data.
   */
  public @Nullable String fault(long offset) throws IOException {
    int at = window.show(offset, layout.recordHeaderBytes());
    return check.fault(window.buffer(), at);
  }

  /**
   * Returns the fault of an event that has the id of a milestone, or null.
   *
   * @param dataBytes the end of data; a body that reaches past it is not checked
   */
  @Nullable String milestoneFault(long offset, long dataBytes) throws IOException {
    String fault = headerFault(offset);
    if (fault == null) {
      fault = timeFault(offset);
    }
    long end = offset + length(offset);
    return fault == null && end <= dataBytes ? bodyFault(offset, end) : fault;
  }

  /** Returns the fault of an event's time as {@link EventCheck#timeFault} does. */
  public @Nullable String timeFault(long offset) throws IOException {
    return EventCheck.timeFault(nanos(offset));
  }

  /** Returns the fault of a time that differs from a possible time in the index, or null. */
  public @Nullable String timeFault(long offset, long indexedNanos) throws IOException {
    long nanos = nanos(offset);
    return indexedNanos == LogLayout.IMPOSSIBLE_NANOS || indexedNanos == nanos
        ? null
        : "time=" + nanos + " ns, expected " + indexedNanos + " as in the index";
  }

  /** Returns the fault of an event that is not a milestone but must be, or null. */
  @Nullable String idFault(long offset) throws IOException {
    int id = id(offset);
    return id == LogLayout.MILESTONE_ID ? null : "id=" + id + ", expected a milestone's";
  }

  /** Returns the fault of an event that ends behind the next milestone. */
  public static String pastMilestone(int length) {
    return "length=" + length + ", expected to end before the next milestone";
  }

  /** Returns the fault of a milestone's body as {@link MilestoneBody#fault} does. */
  public @Nullable String bodyFault(long offset, long endOffset) throws IOException {
    return body.fault(offset, endOffset);
  }
}
