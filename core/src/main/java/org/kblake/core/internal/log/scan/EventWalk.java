package org.kblake.core.internal.log.scan;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.EventCheck;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;

/**
 * A walk over the events of a log one by one, for all bytes at which {@link HeaderWalk} stops:
 * damaged, incomplete and unwritten events. It decides what lies at an offset, where the next event
 * begins, and how the log ends. All slow walks use it: {@link SegmentValidator} and {@link
 * SegmentSurvey} in a snapshot of a log, {@link TailWalk} at the end of a growing log, {@link
 * MilestoneReader} and inspect at single events.
 *
 * <pre>
 *   END         less than an event header is left
 *   ZEROS       length 0
 *   MILESTONE   the id and a possible length of a milestone
 *   EVENT       the id and a possible length of a record's event
 *   DAMAGE      an unknown id or an impossible length
 * </pre>
 *
 * <p>A method other than {@link #found} needs the whole event header in the data, unless it states
 * otherwise.
 */
public final class EventWalk {

  private static final long UNKNOWN = -1;

  private final LogLayout layout;
  private final EventRules rules;
  private final LogWindow window;
  private final EventCheck check;
  private final MilestoneBody body;
  private final boolean closed;
  private final boolean provisional;
  private final boolean grows;

  /** The end of the last byte that is not zero, or {@link #UNKNOWN}. */
  private long writtenBytes = UNKNOWN;

  /** The kinds of bytes at an offset, as far as an event header shows. */
  public enum Found {
    END,
    ZEROS,
    MILESTONE,
    EVENT,
    DAMAGE;

    /** Returns whether there is a milestone or an event of a record. */
    public boolean isEvent() {
      return this == MILESTONE || this == EVENT;
    }
  }

  /**
   * Creates a walk over the bytes of a window, all of which are final.
   *
   * @param closed whether nothing will be appended to the log
   */
  public EventWalk(LogLayout layout, EventRules rules, LogWindow window, boolean closed) {
    this(layout, rules, window, closed, false, false);
  }

  /**
   * Creates a walk over the bytes of a window.
   *
   * @param grows whether the walk returns to zeros until they are written. Then the end of the
   *     written bytes is read each time. In a snapshot it is read once.
   */
  EventWalk(PairLog log, LogWindow window, boolean grows) {
    this(log.layout(), log.rules(), window, log.closed(), log.provisional(), grows);
  }

  private EventWalk(
      LogLayout layout,
      EventRules rules,
      LogWindow window,
      boolean closed,
      boolean provisional,
      boolean grows) {
    this.layout = layout;
    this.rules = rules;
    this.window = window;
    this.closed = closed;
    this.provisional = provisional;
    this.grows = grows;
    check = new EventCheck(layout, rules);
    body = new MilestoneBody(layout, rules, window);
  }

  /** Returns the end of data: the bytes of the log that count as written. */
  long dataBytes() {
    return window.endOffset();
  }

  /** Returns what lies at an offset up to the end of data. */
  public Found found(long offset) throws IOException {
    if (!has(offset, layout.eventHeaderBytes())) {
      return Found.END;
    }
    if (length(offset) == 0) {
      return Found.ZEROS;
    }
    if (headerFault(offset) != null) {
      return Found.DAMAGE;
    }
    return isMilestone(offset) ? Found.MILESTONE : Found.EVENT;
  }

  private boolean has(long offset, int bytes) {
    return dataBytes() - offset >= bytes;
  }

  private int showHeader(long offset) throws IOException {
    return window.show(offset, layout.eventHeaderBytes());
  }

  /** Returns the length in the event header; 0 if nothing is written there. */
  public int length(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.length(window.buffer(), at);
  }

  private int id(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.id(window.buffer(), at);
  }

  /** Returns whether the event has the id of a milestone. Its length may be impossible. */
  public boolean isMilestone(long offset) throws IOException {
    return id(offset) == LogLayout.MILESTONE_ID;
  }

  /** Returns the event's time, or {@link LogLayout#IMPOSSIBLE_NANOS}. */
  public long nanos(long offset) throws IOException {
    int at = showHeader(offset);
    return layout.nanos(window.buffer(), at);
  }

  /** Returns the fault of a header as {@link EventCheck#headerFault} does. */
  @Nullable String headerFault(long offset) throws IOException {
    int at = showHeader(offset);
    return check.headerFault(window.buffer(), at);
  }

  /**
   * Returns the fault of the event or milestone at an offset, or null. A state or a body that the
   * data do not have as a whole is not checked.
   */
  public @Nullable String fault(long offset) throws IOException {
    if (isMilestone(offset)) {
      return milestoneFault(offset, LogLayout.IMPOSSIBLE_NANOS);
    }
    if (!hasRecordHeader(offset)) {
      return headerFault(offset);
    }
    int at = window.show(offset, layout.recordHeaderBytes());
    return check.fault(window.buffer(), at);
  }

  /** Returns whether the data have all bytes before the value of a record's event. */
  boolean hasRecordHeader(long offset) {
    return has(offset, layout.recordHeaderBytes());
  }

  /** Returns whether an undamaged event of a record begins at an offset up to the end of data. */
  boolean isUndamagedEvent(long offset) throws IOException {
    return found(offset) == Found.EVENT && hasRecordHeader(offset) && fault(offset) == null;
  }

  /**
   * Returns the fault of an event that must be a milestone, or null. A body that the data do not
   * have as a whole is not checked.
   *
   * @param indexedNanos the time in the index, or {@link LogLayout#IMPOSSIBLE_NANOS}
   */
  public @Nullable String milestoneFault(long offset, long indexedNanos) throws IOException {
    String fault = milestoneHeaderFault(offset, LogLayout.IMPOSSIBLE_NANOS);
    if (fault == null && has(offset, length(offset))) {
      fault = bodyFault(offset);
    }
    return fault == null ? milestoneHeaderFault(offset, indexedNanos) : fault;
  }

  /** Returns the fault as {@link #milestoneFault} does, without a check of the body. */
  @Nullable String milestoneHeaderFault(long offset, long indexedNanos) throws IOException {
    if (!isMilestone(offset)) {
      return "id=" + id(offset) + ", expected a milestone's";
    }
    String fault = headerFault(offset);
    long nanos = nanos(offset);
    if (fault == null) {
      fault = EventCheck.timeFault(nanos);
    }
    return fault != null || indexedNanos == LogLayout.IMPOSSIBLE_NANOS || indexedNanos == nanos
        ? fault
        : "time=" + nanos + " ns, expected " + indexedNanos + " as in the index";
  }

  /** Returns the fault of a whole milestone's body as {@link MilestoneBody#fault} does. */
  @Nullable String bodyFault(long offset) throws IOException {
    return body.fault(offset, offset + length(offset));
  }

  /** Returns the fault of an event that ends behind the next milestone. */
  public static String pastMilestone(int length) {
    return "length=" + length + ", expected to end before the next milestone";
  }

  /**
   * Returns whether no event is written at an offset: zeros up to the end of the log, or length 0
   * in a growing log.
   */
  public boolean isUnwritten(long offset) throws IOException {
    return found(offset) == Found.ZEROS && (!closed || isTorn(offset));
  }

  /** Returns whether the event header at an offset is incomplete, or only zeros follow it. */
  boolean isTorn(long offset) throws IOException {
    return writtenBytes() <= offset + layout.eventHeaderBytes();
  }

  /**
   * Returns whether an event ends with a zero byte, and zeros and then data follow. Over a network
   * the zeros may be a page that has not arrived yet and that begins within the event. In a growing
   * log any byte behind the zeros counts as data. In a snapshot a torn event does not.
   */
  boolean reachesIntoZeros(long endOffset) throws IOException {
    return provisional
        && endOffset > 0
        && found(endOffset) == Found.ZEROS
        && window.buffer().get(window.show(endOffset - 1, 1)) == 0
        && (grows ? writtenBytes() > endOffset : !isTorn(endOffset));
  }

  private long writtenBytes() throws IOException {
    if (grows || writtenBytes == UNKNOWN) {
      writtenBytes = TailZeros.lastWritten(window.file(), dataBytes());
    }
    return writtenBytes;
  }

  /**
   * Returns how the log ends at an offset, if no milestone is known behind it. If a whole event
   * begins there, the log does not end: the result is {@code DAMAGED}, too.
   */
  Segment.End ending(long offset) throws IOException {
    if (offset == dataBytes()) {
      return closed ? Segment.End.END_OF_PAIR : Segment.End.UNWRITTEN;
    }
    boolean ends =
        switch (found(offset)) {
          case END -> true;
          case MILESTONE, EVENT -> !has(offset, length(offset));
          case ZEROS -> isUnwritten(offset);
          case DAMAGE -> isTorn(offset);
        };
    return ends ? unfinished() : Segment.End.DAMAGED;
  }

  /** Returns the kind of end of a log that ends within an event or in zeros. */
  Segment.End unfinished() {
    return closed ? Segment.End.CUT : Segment.End.UNWRITTEN;
  }

  /**
   * Returns the length of the event at an offset, or 0 if no event can have this length. Other
   * faults of the event do not matter.
   *
   * @param milestone whether the event must be a milestone
   */
  public int step(long offset, boolean milestone) throws IOException {
    if (!has(offset, layout.eventHeaderBytes())) {
      return 0;
    }
    int length = length(offset);
    boolean possible =
        milestone ? rules.isMilestoneLength(length) : length >= layout.eventHeaderBytes();
    return possible ? length : 0;
  }

  /**
   * Returns the offset of the first event at or behind a given offset, by the lengths of the events
   * before it. If a length is impossible, this is the offset of its event.
   */
  long eventAtOrBehind(long fromOffset, long wantedOffset) throws IOException {
    long at = fromOffset;
    for (int length = 1; at < wantedOffset && length > 0; at += length) {
      length = step(at, false);
    }
    return at;
  }

  /** Returns the offset of the last event between two offsets. */
  long lastEvent(long fromOffset, long toOffset) throws IOException {
    long at = fromOffset;
    while (at + length(at) < toOffset) {
      at += length(at);
    }
    return at;
  }

  /**
   * Returns the offset of the next undamaged milestone, by the lengths of the events before it, or
   * an end to which these lengths lead.
   */
  long nextMilestone(long fromOffset, long endOffset) throws IOException {
    long at = fromOffset;
    while (at < endOffset
        && (!isMilestone(at) || length(at) > endOffset - at || fault(at) != null)) {
      at += length(at);
    }
    return at;
  }
}
