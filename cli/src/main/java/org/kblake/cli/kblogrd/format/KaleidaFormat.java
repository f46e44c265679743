package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.format.text.TextBuffer;
import org.kblake.format.time.ClockText;

/**
 * {@code kaleida}: a header, then a row for each instant. Every cell is filled and has no blank.
 * For events there is a row for each instant at which a value changes.
 *
 * <pre>
 *   time TAB REC1 TAB REC2[0] TAB REC2[1] ...
 *   MM/dd/yyyy HH:mm:ss TAB VALUE TAB VALUE TAB VALUE ...
 * </pre>
 */
public final class KaleidaFormat implements AnswerFormat {

  private static final byte[] NO_VALUE = {'\t', 'N', 'a', 'N'};

  private final LineOutput out;
  private final TextBuffer text;
  private final ClockText clock;
  private final Cells cells = new BlanklessCells();
  private final List<Column> columns;
  private final ChangeQueue changes;
  private final long fromNanos;
  private final long heldNanos;
  private final int[] widths;

  /**
   * The cells of each channel's value, each with a tab before it. They are kept from row to row,
   * because most values do not change.
   */
  private final byte[][] present;

  /** The position in log order of the event that set each channel's value. */
  private final long[] sequences;

  /** The cells of each column that no channel of the answer has. */
  private final byte[][] unanswered;

  private final TextBuffer cell = TextBuffer.inMemory();

  /**
   * @param channels the number of channels of the answer
   * @param fromNanos the begin of rows: earlier events make no rows; {@link Long#MIN_VALUE} for
   *     rows of all events. Values of {@link #before} are those held at this time minus the bound
   * @param disorderBoundNanos the longest time by which events may be late
   */
  public KaleidaFormat(
      LineOutput out,
      List<Column> columns,
      int channels,
      ZoneId zone,
      long fromNanos,
      long disorderBoundNanos) {
    this.out = out;
    this.text = out.text();
    this.columns = columns;
    this.clock = new ClockText(zone);
    this.fromNanos = fromNanos;
    heldNanos = fromNanos == Long.MIN_VALUE ? fromNanos : fromNanos - disorderBoundNanos;
    changes = new ChangeQueue(disorderBoundNanos);
    widths = new int[channels];
    present = new byte[channels][];
    sequences = new long[channels];
    Arrays.fill(sequences, -1);
    unanswered = new byte[columns.size()][];
    for (int i = 0; i < columns.size(); i++) {
      Column column = columns.get(i);
      byte[] none = noValue(column.width());
      unanswered[i] = none;
      if (column.channel() >= 0) {
        widths[column.channel()] = column.width();
        present[column.channel()] = none;
      }
    }
  }

  private static byte[] noValue(int width) {
    byte[] cells = new byte[width * NO_VALUE.length];
    for (int i = 0; i < width; i++) {
      System.arraycopy(NO_VALUE, 0, cells, i * NO_VALUE.length, NO_VALUE.length);
    }
    return cells;
  }

  @Override
  public void begin() throws IOException {
    text.put(bytes("time"));
    for (Column column : columns) {
      if (column.width() == 1) {
        text.put(bytes("\t" + column.name()));
      } else {
        for (int i = 0; i < column.width(); i++) {
          text.put(bytes("\t" + column.name() + "[" + i + "]"));
        }
      }
    }
    out.endLine();
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void before(HeldRow row) throws IOException {
    for (int channel = 0; channel < present.length; channel++) {
      if (row.isNew(channel)) {
        present[channel] =
            row.isKnown(channel)
                ? cells(row.columns(channel), row.row(channel), channel)
                : noValue(widths[channel]);
      }
    }
  }

  @Override
  public void event(EventColumns events, int row, int channel) throws IOException {
    if (events.state[row] != EventState.VALUE_CODE) {
      return;
    }
    if (events.timeNanos[row] <= heldNanos) {
      // The held value already includes this event, or was set by a later one in log order
      sequences[channel] = changes.skip();
    } else {
      changes.add(events.timeNanos[row], channel, cells(events, row, channel));
      makeRows();
    }
  }

  private void makeRows() throws IOException {
    ChangeQueue.Change first = changes.poll();
    while (first != null) {
      boolean changed = false;
      for (ChangeQueue.Change each = first; each != null; each = changes.poll(first.nanos())) {
        // An event replaces only values of events before it in log order, whatever their times
        if (each.sequence() > sequences[each.channel()]) {
          sequences[each.channel()] = each.sequence();
          present[each.channel()] = each.cells();
          changed = true;
        }
      }
      if (changed && first.nanos() >= fromNanos) {
        writeRow(first.nanos());
      }
      first = changes.poll();
    }
  }

  @Override
  public void connection(long nanos, int channel, EventState state) {}

  @Override
  public void held(long nanos, HeldRow row) throws IOException {
    before(row);
    writeRow(nanos);
  }

  private byte[] cells(EventColumns events, int row, int channel) throws IOException {
    cell.position = 0;
    int first = Cells.first(events, row);
    int count = Cells.count(events, row);
    for (int i = 0; i < widths[channel]; i++) {
      if (i < count) {
        cell.put((byte) '\t');
        cells.write(events, first + i, cell);
      } else {
        cell.put(NO_VALUE);
      }
    }
    return Arrays.copyOf(cell.bytes, cell.position);
  }

  private void writeRow(long nanos) throws IOException {
    text.ensure(ClockText.BYTES);
    text.position = clock.write(nanos, text.bytes, text.position);
    for (int i = 0; i < unanswered.length; i++) {
      int channel = columns.get(i).channel();
      text.put(channel < 0 ? unanswered[i] : present[channel]);
    }
    out.endLine();
  }

  @Override
  public void end() throws IOException {
    changes.end();
    makeRows();
  }
}
