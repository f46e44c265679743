package org.kblake.query.internal.source;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.plan.ChannelTarget;

/** Takes the runs of a raw log: columns for each type that the wanted channels of a pair have. */
public final class RunColumns {

  /** U+FFFD for each byte of a text. */
  private static final int MOST_TEXT_BYTES = 3 * 40;

  /** Long waveforms make runs of fewer rows. */
  private static final int MOST_ELEMENTS = 1 << 17;

  private static final int NOT_ASKED = -1;

  /** By ordinal of the pair's record table. */
  private final int[] channelOf;

  private final EventColumns[] columnsOf;
  private final BitSet wanted;

  /**
   * @param channels that are wanted, of those that the pair has
   * @param rows of a run at most
   */
  public RunColumns(RecordTable records, List<ChannelTarget> channels, int rows) {
    channelOf = new int[records.size()];
    Arrays.fill(channelOf, NOT_ASKED);
    columnsOf = new EventColumns[records.size()];
    wanted = new BitSet(records.size());
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
                shape -> new EventColumns(shape.type(), shape.waveform(), rows));
      }
    }
  }

  /** Ordinals of the records whose events are wanted. */
  public BitSet wanted() {
    return wanted;
  }

  /** The answer's index of a record's channel. */
  public int channel(int record) {
    return channelOf[record];
  }

  /** Empties the columns that take a record's events. */
  public EventColumns begin(int record) {
    EventColumns run = columnsOf[record];
    run.count = 0;
    return run;
  }

  /** Whether a run can take one more event. */
  public static boolean hasRoom(EventColumns run) {
    return run.count < run.capacity() && run.elements() < MOST_ELEMENTS;
  }

  /**
   * Adds the event that a scanner stands on, but for stray and log order.
   *
   * @return its row
   */
  public static int append(EventColumns run, LogScanner scanner) {
    int row = run.count;
    run.timeNanos[row] = scanner.timeNanos();
    run.state[row] = (byte) scanner.state();
    run.severity[row] = (byte) scanner.severity();
    run.status[row] = (short) scanner.status();
    boolean value = scanner.state() == EventState.VALUE_CODE;
    int first = run.waveform() ? run.listStarts[row] : row;
    int elements = value ? scanner.elements() : 0;
    int end = first + (run.waveform() ? elements : 1);
    run.ensureElements(end);
    if (run.type() == ValueType.STRING) {
      appendTexts(run, scanner, first, end, value);
    } else if (value) {
      scanner.copyBits(run.values, first);
    } else if (!run.waveform()) {
      run.values[first] = 0;
    }
    if (run.waveform()) {
      run.listStarts[row + 1] = end;
    }
    run.count = row + 1;
    return row;
  }

  private static void appendTexts(
      EventColumns run, LogScanner scanner, int first, int end, boolean value) {
    for (int element = first; element < end; element++) {
      int at = run.textStarts[element];
      run.ensureText(at + MOST_TEXT_BYTES);
      int bytes = value ? scanner.text(element - first, run.text, at) : 0;
      run.textStarts[element + 1] = at + bytes;
    }
  }
}
