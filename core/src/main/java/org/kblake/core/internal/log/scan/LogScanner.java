package org.kblake.core.internal.log.scan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.internal.log.file.BytesConsumer;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.file.LogFile;
import org.kblake.core.internal.log.file.LogWindow;
import org.kblake.core.internal.log.pair.Boundaries;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.Elements;
import org.kblake.core.layout.EventRules;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;

/**
 * A reader of the events of a span of one log, segment by segment.
 *
 * <pre>
 *   while (scanner.nextSegment()) {      // walks over the segment's headers and validates them
 *     Segment segment = scanner.segment();
 *     while (scanner.next()) {           // its undamaged events of wanted records, in log order
 *       scanner.record(), scanner.timeNanos(), scanner.valueBits(0) ...
 * </pre>
 *
 * <p>A scanner allocates nothing per event. The event's fields are valid until the next call of
 * {@link #next} or {@link #readBytes}. A scanner has its own channel or mapping. It is for one
 * thread. An interrupt of this thread does not affect other scanners.
 */
public final class LogScanner implements Closeable {

  /** The most bytes that {@link #text} writes for one element. */
  public static final int MAX_TEXT_BYTES = Elements.MAX_TEXT_BYTES;

  private final PairLog log;
  private final LogLayout layout;
  private final EventRules rules;
  private final RecordTable records;
  private final LogWindow window;
  private final HeaderWalk walk;
  private final SegmentWalk segments;
  private final @Nullable BitSet wanted;
  private final boolean logOrder;

  private @Nullable Segment segment;

  /** The next kept position. Behind the last one, events are read from cursorOffset on. */
  private int nextRemembered;

  private int rememberedCount;
  private long cursorOffset;

  private ByteBuffer buffer;
  private int at;
  private long eventOffset;
  private int eventBytes;
  private int record;
  private long timeNanos;
  private int state;
  private int severity;
  private long latestNanos;
  private int tie;

  /** Opens as {@link #open(PairLog, long, long, BitSet, boolean)} does, without log order. */
  public static LogScanner open(
      PairLog log, long fromOffset, long toOffset, @Nullable BitSet wanted) throws IOException {
    return open(log, fromOffset, toOffset, wanted, false);
  }

  /**
   * Opens a scanner.
   *
   * @param log the snapshot of the pair
   * @param fromOffset the offset of a milestone
   * @param toOffset the end: segments that begin before it are scanned; {@link PairLog#logBytes()}
   *     for all
   * @param wanted ordinals of the records whose events are wanted, null for all; not kept
   * @param logOrder whether {@link #latenessNanos} and {@link #tie} are needed; then all events of
   *     a segment are read twice
   * @throws UnavailableException if the log cannot be read any more
   */
  public static LogScanner open(
      PairLog log, long fromOffset, long toOffset, @Nullable BitSet wanted, boolean logOrder)
      throws IOException {
    if (fromOffset < 0 || fromOffset > log.logBytes()) {
      throw new IllegalArgumentException(
          "scan begins outside of the log: fromOffset=" + fromOffset + ", bytes=" + log.logBytes());
    }
    LogFile file = log.source().open();
    try {
      long end = log.fileState().dataBytes();
      LogWindow window =
          log.fileState().mappable() && fromOffset < end
              ? LogWindow.mapped(file, fromOffset, end, log.order())
              : log.buffered(file, LogWindow.BUFFER_BYTES);
      Boundaries boundaries = log.boundaries(window, fromOffset);
      return new LogScanner(log, window, boundaries, toOffset, wanted, logOrder);
    } catch (Throwable e) {
      FirstFailure.close(e, file);
      throw e;
    }
  }

  LogScanner(
      PairLog log,
      LogWindow window,
      Boundaries boundaries,
      long toOffset,
      @Nullable BitSet wanted,
      boolean logOrder) {
    this.log = log;
    this.window = window;
    this.wanted = wanted == null ? null : (BitSet) wanted.clone();
    this.logOrder = logOrder;
    layout = log.layout();
    rules = log.rules();
    records = log.records();
    walk = new HeaderWalk(layout, rules, log.order(), logOrder ? null : this.wanted);
    segments = new SegmentWalk(log, window, boundaries, walk, toOffset);
    buffer = window.buffer();
  }

  public PairLog log() {
    return log;
  }

  /**
   * Walks over the headers of the next segment. Events are served only after their segment was
   * validated.
   *
   * @return false at the end of the scan
   * @throws UnavailableException if the log cannot be read any more
   */
  public boolean nextSegment() throws IOException {
    segment = null;
    try {
      Segment next = segments.next();
      if (next == null) {
        return false;
      }
      begin(next, walk.rememberedCount(), walk.rememberedEndOffset());
      return true;
    } catch (InternalError e) {
      throw fault(e);
    }
  }

  /**
   * Returns the exception to throw for an error of the JVM during a read. The JVM reports with an
   * {@link InternalError} that a mapped file has become shorter, or that its disk fails. It reports
   * this some time after the access, in any code of the same thread. Therefore a caller must catch
   * this error around all uses of events. After {@link #next} returned false, or {@link #readBytes}
   * returned, all bytes were read without an error.
   *
   * @throws InternalError the error itself, if the log is not mapped
   */
  public UnavailableException fault(InternalError error) {
    return window.fault(error);
  }

  private void begin(Segment next, int remembered, long unrememberedOffset) {
    segment = next;
    nextRemembered = 0;
    rememberedCount = remembered;
    boolean all = wanted == null || logOrder;
    if (all) {
      rememberedCount = 0;
      cursorOffset = next.eventsOffset();
    } else {
      cursorOffset = Math.min(unrememberedOffset, next.servedEndOffset());
    }
    latestNanos = Long.MIN_VALUE;
    tie = 0;
  }

  /** Serves the events of a span that was validated elsewhere, as those of a segment. */
  void serve(Segment validated) {
    begin(validated, 0, validated.eventsOffset());
  }

  /** Returns the segment of the last call of {@link #nextSegment}. */
  public Segment segment() {
    Segment current = segment;
    if (current == null) {
      throw new IllegalStateException("no segment: call nextSegment first, until it returns false");
    }
    return current;
  }

  /**
   * Moves to the segment's next undamaged event of a wanted record.
   *
   * @return false at the end of the segment
   * @throws UnavailableException if the log cannot be read any more
   */
  public boolean next() throws IOException {
    try {
      while (nextRemembered < rememberedCount) {
        if (load(walk.rememberedOffset(nextRemembered++))) {
          return true;
        }
      }
      Segment current = segment();
      while (cursorOffset < current.servedEndOffset()) {
        boolean served = load(cursorOffset);
        cursorOffset += eventBytes;
        if (!served) {
          continue;
        }
        if (logOrder) {
          noteOrder();
        }
        if (wanted == null || wanted.get(record)) {
          return true;
        }
      }
      window.confirm();
      return false;
    } catch (InternalError e) {
      throw fault(e);
    }
  }

  /** Reads an event. Returns whether it can be served. */
  private boolean load(long offset) throws IOException {
    long left = segment().servedEndOffset() - offset;
    int head = layout.recordHeaderBytes();
    int position = window.show(offset, (int) Math.min(head, left));
    ByteBuffer bytes = window.buffer();
    long lengthAndId = layout.lengthAndId(bytes, position);
    int length = (int) lengthAndId;
    if (length < layout.eventHeaderBytes() || length > left) {
      throw log.pair()
          .unavailable(
              log.pair().logPath(), "bytes changed while they were read: offset=" + offset);
    }
    eventOffset = offset;
    eventBytes = length;
    if (length < head) {
      return false;
    }
    int ordinal = records.ordinalOfId((int) (lengthAndId >> Integer.SIZE));
    if (ordinal < 0) {
      return false;
    }
    int stateAndSeverity = layout.stateAndSeverity(bytes, position);
    state = stateAndSeverity & 0xFF;
    severity = stateAndSeverity >>> Byte.SIZE;
    timeNanos = layout.nanos(bytes, position);
    if (!rules.isServed(ordinal, state, severity, length)
        || timeNanos == LogLayout.IMPOSSIBLE_NANOS) {
      return false;
    }
    record = ordinal;
    if (position + length > bytes.limit()) {
      at = window.show(offset, length);
      buffer = window.buffer();
    } else {
      at = position;
      buffer = bytes;
    }
    return true;
  }

  private void noteOrder() {
    if (timeNanos > latestNanos) {
      latestNanos = timeNanos;
      tie = 0;
    } else {
      tie++;
    }
  }

  /** Returns the ordinal of the event's record in the pair's record table. */
  public int record() {
    return record;
  }

  /** Returns the event's time, nanoseconds since 1970 UTC. */
  public long timeNanos() {
    return timeNanos;
  }

  /** Returns the code of the event's {@link org.kblake.core.model.EventState}. */
  public int state() {
    return state;
  }

  /** Returns the severity, 0 to 3. */
  public int severity() {
    return severity;
  }

  /** Returns the EPICS {@code menuAlarmStat}, 0 to 65535. */
  public int status() {
    return layout.status(buffer, at);
  }

  /** Returns whether the event's time lies outside of its segment's span. */
  public boolean stray() {
    return segment().isStray(timeNanos);
  }

  /**
   * Returns the nanoseconds from the event's time to the latest time of the segment's events so
   * far, at least 0. Events of all records count, including strays. Damaged events do not count.
   * The scan must have been opened with log order.
   */
  public long latenessNanos() {
    requireLogOrder();
    return latestNanos - timeNanos;
  }

  /** Returns the rank in log order among events of equal time + lateness; needs log order. */
  public int tie() {
    requireLogOrder();
    return tie;
  }

  private void requireLogOrder() {
    if (!logOrder) {
      throw new IllegalStateException("the scan was opened without log order");
    }
  }

  /** Returns the number of elements of the value; 0 in a connection event. */
  public int elements() {
    return valueBytes() / rules.elementBytes(record);
  }

  /** Returns the bits of a number: see {@link org.kblake.core.columns.EventColumns#values}. */
  public long valueBits(int element) {
    return Elements.bits(records.entry(record).type(), buffer, elementAt(element));
  }

  /** Returns the bits of a scalar number; 0 in a connection event. */
  public long numberBits() {
    return state == EventState.VALUE_CODE
        ? Elements.bits(rules.type(record), buffer, at + layout.recordHeaderBytes())
        : 0;
  }

  /**
   * Copies the bits of all elements.
   *
   * @return {@link #elements()}
   */
  public int copyBits(long[] target, int targetAt) {
    int elements = elements();
    Elements.copyBits(records.entry(record).type(), buffer, valueAt(), elements, target, targetAt);
    return elements;
  }

  /**
   * Copies a string element without its terminator. Malformed UTF-8 is replaced by U+FFFD.
   *
   * @param target an array with room for 120 bytes from {@code targetAt}
   * @return the number of bytes written
   */
  public int text(int element, byte[] target, int targetAt) {
    return Elements.copyText(buffer, elementAt(element), target, targetAt);
  }

  private int elementAt(int element) {
    if (element < 0 || element >= elements()) {
      throw new IndexOutOfBoundsException(
          "no such element: element=" + element + ", elements=" + elements());
    }
    return valueAt() + element * rules.elementBytes(record);
  }

  /** Returns the log offset of the event. */
  public long eventOffset() {
    return eventOffset;
  }

  /** Returns the bytes of the whole event. */
  public int eventBytes() {
    return eventBytes;
  }

  /** Returns the buffer with the event's bytes, read-only, in the pair's byte order. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /** Returns the position of the event in {@link #buffer()}. */
  public int eventAt() {
    return at;
  }

  /** Returns the position of the event's value in {@link #buffer()}. */
  public int valueAt() {
    return at + layout.recordHeaderBytes();
  }

  /** Returns the bytes of the event's value; 0 in a connection event. */
  public int valueBytes() {
    return eventBytes - layout.recordHeaderBytes();
  }

  /**
   * Passes the bytes of a span of the log to a consumer, read by read, without interpretation.
   * Afterwards the fields of the current event are invalid.
   *
   * @param fromOffset the begin; not before the begin of the scan
   * @param toOffset the end; at most {@link PairLog#dataBytes()}
   * @throws UnavailableException if the log cannot be read any more
   */
  public void readBytes(long fromOffset, long toOffset, BytesConsumer consumer) throws IOException {
    long offset = fromOffset;
    try {
      while (offset < toOffset) {
        int bytes = (int) Math.min(LogWindow.BUFFER_BYTES, toOffset - offset);
        int position = window.show(offset, bytes);
        consumer.accept(window.buffer().slice(position, bytes).order(log.order()));
        offset += bytes;
      }
      window.confirm();
    } catch (InternalError e) {
      throw fault(e);
    }
  }

  /** Updates the states of the pair's records with the current event. */
  public void applyTo(RecordStates states) {
    states.apply(
        record(), timeNanos(), state(), severity(), status(), buffer(), valueAt(), valueBytes());
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
