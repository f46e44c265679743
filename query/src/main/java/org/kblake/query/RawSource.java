package org.kblake.query;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogScanner;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.RecordEntry;
import org.kblake.core.log.RecordTable;
import org.kblake.core.log.Segment;
import org.kblake.core.model.EventState;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.EventColumns;
import org.kblake.query.arrow.ValueShape;

/** The events of some channels in a stretch of a raw log, in one pass. */
final class RawSource implements RunSource {

  /** U+FFFD for each byte of a text. */
  private static final int MOST_TEXT_BYTES = 3 * 40;

  /** Long waveforms make runs of fewer rows. */
  private static final int MOST_ELEMENTS = 1 << 17;

  private static final int NOT_ASKED = -1;

  private final LogScanner scanner;
  private final PairSlot pair;
  private final TimeRange spans;
  private final TimeRange times;
  private final boolean strays;
  private final boolean logOrder;
  private final int group;
  private final Consumer<Segment> segments;

  /** By ordinal of the pair's record table. */
  private final int[] channelOf;

  private final EventColumns[] columnsOf;

  private long segmentOffset;
  private long endOffset;
  private @Nullable EventColumns columns;
  private int channel;

  /** Whether the scanner stands on an event that is not in a run yet. */
  private boolean held;

  /** What is read of a log. */
  record Request(RawLeg leg, TimeRange spans, TimeRange times, boolean strays, boolean logOrder) {

    /**
     * @param spans segments are read whose spans meet it
     * @param times events are given, strays aside, whose times it contains
     * @param logOrder whether lateness and tie are wanted, which takes a second look at all events
     */
    Request {}

    /** Events of a range. */
    static Request of(RawLeg leg, TimeRange range, boolean strays) {
      return new Request(leg, range, range, strays, false);
    }
  }

  /**
   * @param segments told of each segment that is read, before its events are given
   */
  RawSource(Request request, List<ChannelTarget> channels, int group, Consumer<Segment> segments)
      throws IOException {
    RawLeg leg = request.leg();
    pair = leg.pair();
    spans = request.spans();
    times = request.times();
    strays = request.strays();
    logOrder = request.logOrder();
    this.group = group;
    this.segments = segments;
    PairLog log = leg.log();
    RecordTable records = log.records();
    channelOf = new int[records.size()];
    Arrays.fill(channelOf, NOT_ASKED);
    columnsOf = new EventColumns[records.size()];
    BitSet wanted = wanted(channels, records);
    scanner = log.scan(leg.fromOffset(), leg.toOffset(), wanted, logOrder);
  }

  private BitSet wanted(List<ChannelTarget> channels, RecordTable records) {
    BitSet wanted = new BitSet(records.size());
    Map<ValueShape, EventColumns> byShape = new TreeMap<>();
    for (ChannelTarget target : channels) {
      int ordinal = records.ordinalOfName(target.name());
      if (ordinal >= 0) {
        RecordEntry entry = records.entry(ordinal);
        wanted.set(ordinal);
        channelOf[ordinal] = target.index();
        columnsOf[ordinal] =
            byShape.computeIfAbsent(
                new ValueShape(entry.type(), entry.waveform()),
                shape -> new EventColumns(shape.type(), shape.waveform(), EventColumns.PAGE_ROWS));
      }
    }
    return wanted;
  }

  @Override
  public boolean next() throws IOException {
    while (!nextInSegment()) {
      if (!nextSegment()) {
        return false;
      }
    }
    return true;
  }

  /**
   * Goes to the next segment that is read.
   *
   * @return false if there is none
   */
  boolean nextSegment() throws IOException {
    held = false;
    while (scanner.nextSegment()) {
      Segment segment = scanner.segment();
      segmentOffset = segment.startOffset();
      endOffset = segment.endOffset();
      if (spans.meets(segment.spanFromNanos(), segment.spanToNanos())) {
        segments.accept(segment);
        held = advance();
        return true;
      }
    }
    return false;
  }

  /** Where the segment behind the present one begins. */
  long endOffset() {
    return endOffset;
  }

  /**
   * Goes on to the next run of the present segment.
   *
   * @return false if there is none
   */
  boolean nextInSegment() throws IOException {
    if (!held) {
      return false;
    }
    int record = scanner.record();
    EventColumns run = columnsOf[record];
    run.count = 0;
    channel = channelOf[record];
    columns = run;
    do {
      append(run);
      held = advance();
    } while (held && scanner.record() == record && hasRoom(run));
    return true;
  }

  private static boolean hasRoom(EventColumns run) {
    return run.count < EventColumns.PAGE_ROWS && run.elements() < MOST_ELEMENTS;
  }

  /** Goes to the segment's next event that is wanted. */
  private boolean advance() throws IOException {
    while (scanner.next()) {
      if (scanner.stray() ? strays : times.contains(scanner.timeNanos())) {
        return true;
      }
    }
    return false;
  }

  private void append(EventColumns run) {
    int row = run.count;
    run.timeNanos[row] = scanner.timeNanos();
    run.state[row] = (byte) scanner.state();
    run.severity[row] = (byte) scanner.severity();
    run.status[row] = (short) scanner.status();
    run.stray[row] = (byte) (strays && scanner.stray() ? 1 : 0);
    if (logOrder) {
      run.latenessNanos[row] = scanner.latenessNanos();
      run.tie[row] = scanner.tie();
    }
    boolean value = scanner.state() == EventState.VALUE_CODE;
    int first = run.waveform() ? run.listStarts[row] : row;
    int elements = value ? scanner.elements() : 0;
    int end = first + (run.waveform() ? elements : 1);
    run.ensureElements(end);
    if (run.type() == ValueType.STRING) {
      appendTexts(run, first, end, value);
    } else if (value) {
      scanner.copyBits(run.values, first);
    } else if (!run.waveform()) {
      run.values[first] = 0;
    }
    if (run.waveform()) {
      run.listStarts[row + 1] = end;
    }
    run.count = row + 1;
  }

  private void appendTexts(EventColumns run, int first, int end, boolean value) {
    for (int element = first; element < end; element++) {
      int at = run.textStarts[element];
      run.ensureText(at + MOST_TEXT_BYTES);
      int bytes = value ? scanner.text(element - first, run.text, at) : 0;
      run.textStarts[element + 1] = at + bytes;
    }
  }

  @Override
  public EventColumns columns() {
    EventColumns current = columns;
    if (current == null) {
      throw new IllegalStateException("no run yet");
    }
    return current;
  }

  @Override
  public int from() {
    return 0;
  }

  @Override
  public int to() {
    return columns().count;
  }

  @Override
  public int channel() {
    return channel;
  }

  @Override
  public int group() {
    return group;
  }

  @Override
  public long place(int row) {
    return pair.place(segmentOffset);
  }

  @Override
  public void close() throws IOException {
    scanner.close();
  }
}
