package org.kblake.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.format.time.TimeText;

/**
 * Writes rows as lines of text in memory. Channels need not be known in advance. Repeated cells are
 * formatted once and copied. Not thread safe.
 */
final class EventText {

  private final LineForm form;
  private final TextDialect dialect;
  private final TimeText time;
  private final EventCell cell;
  private final Map<Channel, RowCells> channelCells = new HashMap<>();

  /** Which of the cells that differ in each row are times. The others are values. */
  private final boolean[] times;

  private final byte[] firstRowOpening;
  private final byte[] rowOpening;
  private final byte[] noValue;

  private byte[] nextRowOpening;

  /**
   * The text around times and values in rows of a channel: before the first of them, between them,
   * and after the last. It is made again if the status changes.
   */
  private static final class RowCells {
    private final byte[] name;
    private final byte[] group;
    private int statusKey = -1;
    private byte[][] fragments = {};

    /** The length of all fragments. */
    private int length;

    RowCells(byte[] name, byte[] group) {
      this.name = name;
      this.group = group;
    }
  }

  EventText(LineForm form) {
    this.form = form;
    dialect = TextDialect.of(form.format(), form.safe());
    time = form.style().text(form.zone());
    cell = new EventCell(dialect, time);
    int timeAt = form.columns().indexOf("time");
    int valueAt = form.columns().indexOf("value");
    if (timeAt < 0 && valueAt < 0) {
      times = new boolean[] {};
    } else if (timeAt < 0 || valueAt < 0) {
      times = new boolean[] {valueAt < 0};
    } else {
      times = new boolean[] {timeAt < valueAt, valueAt < timeAt};
    }
    firstRowOpening = dialect.rowOpening(true).getBytes(UTF_8);
    rowOpening = dialect.rowOpening(false).getBytes(UTF_8);
    nextRowOpening = rowOpening;
    noValue = dialect.noValue().getBytes(UTF_8);
  }

  /**
   * Appends the text before the first row, if the format has any. The next row is the first row.
   */
  void opening(TextBuffer target) throws IOException {
    target.put(dialect.opening(form.columns()).getBytes(UTF_8));
    nextRowOpening = firstRowOpening;
  }

  /** Appends the text after the last row, if the format has any. */
  void closing(TextBuffer target) throws IOException {
    target.put(dialect.closing().getBytes(UTF_8));
  }

  private RowCells cells(Channel channel) throws IOException {
    RowCells cells = channelCells.get(channel);
    if (cells == null) {
      cells = new RowCells(text(channel.name()), text(channel.group().toString()));
      channelCells.put(channel, cells);
    }
    return cells;
  }

  private byte[] text(String name) throws IOException {
    TextBuffer text = TextBuffer.inMemory();
    cell.text(name.getBytes(UTF_8), text);
    return Arrays.copyOf(text.bytes, text.position);
  }

  /**
   * Appends rows of one channel until the text is long enough.
   *
   * @param from the first row
   * @param to the row after the last
   * @param longBytes the length in bytes at which the text is long enough
   * @return the row after the last written one; at least one row is written
   */
  int write(
      Channel channel, EventColumns events, int from, int to, TextBuffer target, int longBytes)
      throws IOException {
    RowCells cells = cells(channel);
    int row = from;
    do {
      write(cells, events, row, events.state[row], target);
      row++;
    } while (row < to && target.position < longBytes);
    return row;
  }

  /**
   * Appends the value that a channel held: the event that set it, with another state.
   *
   * @param state the state of the channel
   */
  void writeHeld(Channel channel, EventColumns event, EventState state, TextBuffer target)
      throws IOException {
    write(cells(channel), event, 0, (byte) state.code(), target);
  }

  private void write(RowCells cells, EventColumns events, int row, byte state, TextBuffer target)
      throws IOException {
    byte[][] fragments = fragments(cells, events, row, state);
    target.ensure(nextRowOpening.length + cells.length + TimeText.MAX_BYTES);
    int at = copy(nextRowOpening, target.bytes, target.position);
    nextRowOpening = rowOpening;
    for (int i = 0; i < times.length; i++) {
      at = copy(fragments[i], target.bytes, at);
      if (times[i]) {
        at = time.write(events.timeNanos[row], target.bytes, at);
        continue;
      }
      target.position = at;
      if (events.state[row] == EventState.VALUE_CODE) {
        cell.value(events, row, target);
      } else {
        target.put(noValue);
      }
      target.ensure(cells.length + TimeText.MAX_BYTES);
      at = target.position;
    }
    target.position = copy(fragments[times.length], target.bytes, at);
  }

  private static int copy(byte[] source, byte[] target, int at) {
    if (source.length > 0) {
      System.arraycopy(source, 0, target, at, source.length);
    }
    return at + source.length;
  }

  /** Returns the text around a row's time and value. */
  private byte[][] fragments(RowCells cells, EventColumns events, int row, byte state)
      throws IOException {
    int key =
        (events.stray[row] & 1) << 24
            | (state & 0x0f) << 20
            | (events.severity[row] & 0x0f) << 16
            | events.status[row] & 0xffff;
    if (key != cells.statusKey) {
      cells.fragments = makeFragments(cells, events, row, EventState.of(state).text());
      cells.length = 0;
      for (byte[] fragment : cells.fragments) {
        cells.length += fragment.length;
      }
      cells.statusKey = key;
    }
    return cells.fragments;
  }

  private byte[][] makeFragments(RowCells cells, EventColumns events, int row, String state)
      throws IOException {
    byte[][] fragments = new byte[times.length + 1][];
    TextBuffer fragment = TextBuffer.inMemory();
    int count = 0;
    boolean first = true;
    for (String column : form.columns()) {
      put(dialect.cellOpening(column, first), fragment);
      first = false;
      boolean quoted = dialect.objects() && column.equals("time") && !time.numeric();
      if (quoted) {
        fragment.put((byte) '"');
      }
      switch (column) {
        case "channel" -> fragment.put(cells.name);
        case "group" -> fragment.put(cells.group);
        case "state" -> put(dialect.objects() ? '"' + state + '"' : state, fragment);
        case "severity" -> put(Integer.toString(events.severity[row]), fragment);
        case "status" -> put(Integer.toString(events.status[row] & 0xffff), fragment);
        case "stray" -> put(stray(events.stray[row] != 0), fragment);
        case "time", "value" -> {
          fragments[count++] = Arrays.copyOf(fragment.bytes, fragment.position);
          fragment.position = 0;
        }
        default -> throw new IllegalArgumentException("unknown column: " + column);
      }
      if (quoted) {
        fragment.put((byte) '"');
      }
    }
    put(dialect.rowClosing(), fragment);
    fragments[count] = Arrays.copyOf(fragment.bytes, fragment.position);
    return fragments;
  }

  private String stray(boolean stray) {
    return dialect.objects() ? String.valueOf(stray) : stray ? "1" : "0";
  }

  private static void put(String text, TextBuffer target) throws IOException {
    target.put(text.getBytes(UTF_8));
  }
}
