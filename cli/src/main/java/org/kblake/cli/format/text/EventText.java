package org.kblake.cli.format.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.cli.format.time.TimeText;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;

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

  private final byte[] firstRowOpening;
  private final byte[] rowOpening;
  private final byte[] timeClosing;
  private final byte[] noValue;
  private final byte[] rowClosing;

  private byte[] nextRowOpening;

  /** The cells of a channel between time and value. They are formatted again if they change. */
  private static final class RowCells {
    private final byte[] names;
    private int statusKey = -1;
    private byte[] cells = {};

    RowCells(byte[] names) {
      this.names = names;
    }
  }

  EventText(LineForm form) {
    this.form = form;
    dialect = TextDialect.of(form.format());
    time = form.style().text(form.zone());
    cell = new EventCell(dialect, time);
    String quote = dialect.objects() && !time.numeric() ? "\"" : "";
    String timeOpening = dialect.cellOpening("time", true) + quote;
    firstRowOpening = (dialect.rowOpening(true) + timeOpening).getBytes(UTF_8);
    rowOpening = (dialect.rowOpening(false) + timeOpening).getBytes(UTF_8);
    nextRowOpening = rowOpening;
    timeClosing = quote.getBytes(UTF_8);
    noValue = dialect.noValue().getBytes(UTF_8);
    rowClosing = dialect.rowClosing().getBytes(UTF_8);
  }

  /**
   * Appends the text before the first row, if the format has any. The next row is the first row.
   */
  void opening(TextBuffer target) throws IOException {
    List<String> columns = new ArrayList<>(List.of("time", "channel"));
    if (form.withGroup()) {
      columns.add("group");
    }
    columns.addAll(List.of("state", "severity", "status"));
    if (form.withStray()) {
      columns.add("stray");
    }
    columns.add("value");
    target.put(dialect.opening(columns).getBytes(UTF_8));
    nextRowOpening = firstRowOpening;
  }

  /** Appends the text after the last row, if the format has any. */
  void closing(TextBuffer target) throws IOException {
    target.put(dialect.closing().getBytes(UTF_8));
  }

  private RowCells cells(Channel channel) throws IOException {
    RowCells cells = channelCells.get(channel);
    if (cells == null) {
      cells = new RowCells(makeNames(channel));
      channelCells.put(channel, cells);
    }
    return cells;
  }

  /** Returns the cells of a channel's name and, if requested, of its group. */
  private byte[] makeNames(Channel channel) throws IOException {
    TextBuffer cells = TextBuffer.inMemory();
    cells.put(dialect.cellOpening("channel", false).getBytes(UTF_8));
    cell.text(channel.name().getBytes(UTF_8), cells);
    if (form.withGroup()) {
      cells.put(dialect.cellOpening("group", false).getBytes(UTF_8));
      cell.text(channel.group().toString().getBytes(UTF_8), cells);
    }
    return Arrays.copyOf(cells.bytes, cells.position);
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
    byte[] between = between(cells, events, row, state);
    target.ensure(nextRowOpening.length + TimeText.MAX_BYTES + between.length);
    byte[] bytes = target.bytes;
    int at = copy(nextRowOpening, bytes, target.position);
    at = time.write(events.timeNanos[row], bytes, at);
    target.position = copy(between, bytes, at);
    nextRowOpening = rowOpening;
    if (events.state[row] == EventState.VALUE_CODE) {
      cell.value(events, row, target);
    } else {
      target.put(noValue);
    }
    target.put(rowClosing);
  }

  private static int copy(byte[] source, byte[] target, int at) {
    if (source.length > 0) {
      System.arraycopy(source, 0, target, at, source.length);
    }
    return at + source.length;
  }

  /** Returns the text between a row's time and its value. */
  private byte[] between(RowCells cells, EventColumns events, int row, byte state) {
    int key =
        (events.stray[row] & 1) << 24
            | (state & 0x0f) << 20
            | (events.severity[row] & 0x0f) << 16
            | events.status[row] & 0xffff;
    if (key != cells.statusKey) {
      byte[] status = makeStatusCells(events, row, EventState.of(state).text()).getBytes(UTF_8);
      byte[] text = new byte[timeClosing.length + cells.names.length + status.length];
      copy(status, text, copy(cells.names, text, copy(timeClosing, text, 0)));
      cells.cells = text;
      cells.statusKey = key;
    }
    return cells.cells;
  }

  private String makeStatusCells(EventColumns events, int row, String state) {
    StringBuilder cells = new StringBuilder();
    cells.append(dialect.cellOpening("state", false));
    cells.append(dialect.objects() ? '"' + state + '"' : state);
    cells.append(dialect.cellOpening("severity", false)).append(events.severity[row]);
    cells.append(dialect.cellOpening("status", false)).append(events.status[row] & 0xffff);
    if (form.withStray()) {
      boolean stray = events.stray[row] != 0;
      cells.append(dialect.cellOpening("stray", false));
      cells.append(dialect.objects() ? String.valueOf(stray) : stray ? "1" : "0");
    }
    return cells.append(dialect.cellOpening("value", false)).toString();
  }
}
