package org.kblake.core.internal.log.scan;

import java.io.IOException;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.file.TailZeros;
import org.kblake.core.internal.log.pair.PairLog;

/**
 * The rules of walks over events that may be damaged, incomplete or not written yet. All walks use
 * them for bytes at which {@link HeaderWalk} stops: {@link SegmentValidator} and {@link
 * SegmentSurvey} in a snapshot of a log, {@link TailWalk} at the end of a growing log.
 */
final class WalkRules {

  private static final long UNKNOWN = -1;

  private final PairLog log;
  private final LogWindow window;
  private final EventProbe probe;
  private final boolean grows;

  /** The end of the last byte that is not zero, or {@link #UNKNOWN}. */
  private long writtenBytes = UNKNOWN;

  /**
   * Creates the rules for the bytes of a window.
   *
   * @param grows whether the walk returns to zeros until they are written. Then the end of the
   *     written bytes is read each time. In a snapshot it is read once.
   */
  WalkRules(PairLog log, LogWindow window, boolean grows) {
    this.log = log;
    this.window = window;
    this.grows = grows;
    probe = new EventProbe(log.layout(), log.rules(), window);
  }

  /** Returns the reader of single events. */
  EventProbe probe() {
    return probe;
  }

  /** Returns the end of data: the bytes of the log that count as written. */
  long dataBytes() {
    return window.endOffset();
  }

  /** Returns whether the data have all bytes of the event header at an offset. */
  boolean hasHeader(long offset) {
    return dataBytes() - offset >= log.layout().eventHeaderBytes();
  }

  /** Returns whether the data have all bytes before the value of a record's event. */
  boolean hasRecordHeader(long offset) {
    return dataBytes() - offset >= log.layout().recordHeaderBytes();
  }

  /** Returns whether the event header at an offset has length 0. */
  boolean isZero(long offset) throws IOException {
    return hasHeader(offset) && probe.length(offset) == 0;
  }

  /** Returns whether the log grows and nothing is written at an offset yet. */
  boolean isUnwritten(long offset) throws IOException {
    return !log.closed() && isZero(offset);
  }

  /** Returns whether the event header at an offset is incomplete, or only zeros follow it. */
  boolean isTorn(long offset) throws IOException {
    return writtenBytes() <= offset + log.layout().eventHeaderBytes();
  }

  /**
   * Returns whether an event ends with a zero byte, and zeros and then data follow. Over a network
   * the zeros may be a page that has not arrived yet and that begins within the event. In a growing
   * log any byte behind the zeros counts as data. In a snapshot a torn event does not.
   */
  boolean reachesIntoZeros(long endOffset) throws IOException {
    return log.provisional()
        && endOffset > 0
        && isZero(endOffset)
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
    long left = dataBytes() - offset;
    if (left == 0) {
      return log.closed() ? Segment.End.END_OF_PAIR : Segment.End.UNWRITTEN;
    }
    if (!hasHeader(offset)) {
      return unfinished();
    }
    if (probe.headerFault(offset) == null) {
      return probe.length(offset) > left ? unfinished() : Segment.End.DAMAGED;
    }
    return isTorn(offset) || isUnwritten(offset) ? unfinished() : Segment.End.DAMAGED;
  }

  /** Returns the kind of end of a log that ends within an event or in zeros. */
  Segment.End unfinished() {
    return log.closed() ? Segment.End.CUT : Segment.End.UNWRITTEN;
  }

  /**
   * Returns the length of the event at an offset, or 0 if no event can have this length. Other
   * faults of the event do not matter.
   *
   * @param milestone whether the event must be a milestone
   */
  int step(long offset, boolean milestone) throws IOException {
    if (!hasHeader(offset)) {
      return 0;
    }
    int length = probe.length(offset);
    boolean possible =
        milestone
            ? log.rules().isMilestoneLength(length)
            : length >= log.layout().eventHeaderBytes();
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
    while (at + probe.length(at) < toOffset) {
      at += probe.length(at);
    }
    return at;
  }
}
