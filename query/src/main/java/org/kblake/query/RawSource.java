package org.kblake.query;

import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
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
  private final TimeRange range;
  private final boolean strays;
  private final int group;
  private final Consumer<Segment> segments;

  /** By ordinal of the pair's record table. */
  private final int[] channelOf;

  private final EventColumns[] columnsOf;

  private boolean inSegment;
  private @Nullable EventColumns columns;
  private int channel;

  /** Whether the scanner stands on an event that is not in a run yet. */
  private boolean held;

  /**
   * @param segments told of each segment whose span meets the range, before its events are given
   */
  RawSource(
      RawLeg leg,
      List<ChannelTarget> channels,
      TimeRange range,
      boolean strays,
      int group,
      Consumer<Segment> segments)
      throws IOException {
    this.range = range;
    this.strays = strays;
    this.group = group;
    this.segments = segments;
    PairLog log = leg.log();
    RecordTable records = log.records();
    channelOf = new int[records.size()];
    Arrays.fill(channelOf, NOT_ASKED);
    columnsOf = new EventColumns[records.size()];
    BitSet wanted = wanted(channels, records);
    scanner = log.scan(leg.fromOffset(), leg.toOffset(), wanted);
  }

  private BitSet wanted(List<ChannelTarget> channels, RecordTable records) {
    BitSet wanted = new BitSet(records.size());
    java.util.Map<ValueShape, EventColumns> byShape = new java.util.TreeMap<>();
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
    if (!held && !advance()) {
      return false;
    }
    int record = scanner.record();
    EventColumns run = columnsOf[record];
    run.count = 0;
    channel = channelOf[record];
    columns = run;
    do {
      append(run);
      held = advanceInSegment();
    } while (held && scanner.record() == record && hasRoom(run));
    return true;
  }

  private static boolean hasRoom(EventColumns run) {
    return run.count < EventColumns.PAGE_ROWS && run.elements() < MOST_ELEMENTS;
  }

  /** Goes to the next event of the answer in the segment; what is found so far need not wait. */
  private boolean advanceInSegment() throws IOException {
    while (inSegment) {
      if (!scanner.next()) {
        inSegment = false;
      } else if (scanner.stray() ? strays : range.contains(scanner.timeNanos())) {
        return true;
      }
    }
    return false;
  }

  /** Goes to the next event of the answer. */
  private boolean advance() throws IOException {
    while (true) {
      if (advanceInSegment()) {
        return true;
      }
      if (!scanner.nextSegment()) {
        return false;
      }
      Segment segment = scanner.segment();
      if (range.meets(segment.spanFromNanos(), segment.spanToNanos())) {
        segments.accept(segment);
        inSegment = true;
      }
    }
  }

  private void append(EventColumns run) {
    int row = run.count;
    run.timeNanos[row] = scanner.timeNanos();
    run.state[row] = (byte) scanner.state();
    run.severity[row] = (byte) scanner.severity();
    run.status[row] = (short) scanner.status();
    run.stray[row] = (byte) (strays && scanner.stray() ? 1 : 0);
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
  public void close() throws IOException {
    scanner.close();
  }
}
