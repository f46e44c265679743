package org.kblake.cli.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.store.EventColumns;

/**
 * Rows as lines of text that go out as whole lines and need not end: the same lines as {@link
 * OutputFormat#writer} writes, without Arrow, of channels that need not be known beforehand. What
 * repeats is made once and copied. Not thread safe; the stream below stays the caller's.
 */
public final class EventLines {

  private static final int FULL_BYTES = 1 << 15;

  private final OutputStream out;
  private final TextDialect dialect;
  private final EventCell cell;
  private final boolean withGroup;
  private final boolean withStray;
  private final TextBuffer lines = TextBuffer.inMemory();
  private final Map<Channel, byte[]> channelCells = new HashMap<>();

  private final byte[] rowOpening;
  private final byte[] timeClosing;
  private final byte[] noValue;
  private final byte[] rowClosing;

  private int facts = -1;
  private byte[] factCells = {};

  /**
   * Begins with the header, if the format has one.
   *
   * @param format one of lines: {@link OutputFormat#lines}
   * @param style how times are written
   * @param zone of the archive
   * @param withGroup whether a column tells the group
   * @param withStray whether a column tells strays
   */
  public EventLines(
      OutputStream out,
      OutputFormat format,
      TimeStyle style,
      ZoneId zone,
      boolean withGroup,
      boolean withStray)
      throws IOException {
    this.out = out;
    this.withGroup = withGroup;
    this.withStray = withStray;
    dialect = format.dialect();
    TimeText time = style.text(zone);
    cell = new EventCell(dialect, time);
    String quote = dialect.objects() && !time.numeric() ? "\"" : "";
    rowOpening =
        (dialect.rowOpening(false) + dialect.cellOpening("time", true) + quote).getBytes(UTF_8);
    timeClosing = quote.getBytes(UTF_8);
    noValue = dialect.noValue().getBytes(UTF_8);
    rowClosing = dialect.rowClosing().getBytes(UTF_8);
    List<String> columns = new ArrayList<>(List.of("time", "channel"));
    if (withGroup) {
      columns.add("group");
    }
    columns.addAll(List.of("state", "severity", "status"));
    if (withStray) {
      columns.add("stray");
    }
    columns.add("value");
    lines.put(dialect.opening(columns).getBytes(UTF_8));
  }

  /** Writes the rows [from, to) of one channel. */
  public void write(Channel channel, EventColumns events, int from, int to) throws IOException {
    byte[] names = channelCells.get(channel);
    if (names == null) {
      names = names(channel);
      channelCells.put(channel, names);
    }
    for (int row = from; row < to; row++) {
      lines.put(rowOpening);
      cell.time(events.timeNanos[row], lines);
      lines.put(timeClosing);
      lines.put(names);
      lines.put(facts(events, row));
      if (events.state[row] == EventState.VALUE_CODE) {
        cell.value(events, row, lines);
      } else {
        lines.put(noValue);
      }
      lines.put(rowClosing);
      if (lines.position >= FULL_BYTES) {
        drain();
      }
    }
  }

  private byte[] names(Channel channel) throws IOException {
    TextBuffer cells = TextBuffer.inMemory();
    cells.put(dialect.cellOpening("channel", false).getBytes(UTF_8));
    cell.text(channel.name().getBytes(UTF_8), cells);
    if (withGroup) {
      cells.put(dialect.cellOpening("group", false).getBytes(UTF_8));
      cell.text(channel.group().toString().getBytes(UTF_8), cells);
    }
    return Arrays.copyOf(cells.bytes, cells.position);
  }

  /** The cells from state to stray, made when they change. */
  private byte[] facts(EventColumns events, int row) {
    int packed =
        (events.stray[row] & 1) << 24
            | (events.state[row] & 0x0f) << 20
            | (events.severity[row] & 0x0f) << 16
            | events.status[row] & 0xffff;
    if (packed != facts) {
      facts = packed;
      factCells = factCells(events, row).getBytes(UTF_8);
    }
    return factCells;
  }

  private String factCells(EventColumns events, int row) {
    String state = EventState.of(events.state[row]).text();
    StringBuilder cells = new StringBuilder();
    cells.append(dialect.cellOpening("state", false));
    cells.append(dialect.objects() ? '"' + state + '"' : state);
    cells.append(dialect.cellOpening("severity", false)).append(events.severity[row]);
    cells.append(dialect.cellOpening("status", false)).append(events.status[row] & 0xffff);
    if (withStray) {
      boolean stray = events.stray[row] != 0;
      cells.append(dialect.cellOpening("stray", false));
      cells.append(dialect.objects() ? String.valueOf(stray) : stray ? "1" : "0");
    }
    return cells.append(dialect.cellOpening("value", false)).toString();
  }

  /** Hands whole lines to the stream, in one piece. */
  private void drain() throws IOException {
    int length = lines.position;
    lines.position = 0;
    out.write(lines.bytes, 0, length);
  }

  /** Hands everything to whoever reads it. */
  public void flush() throws IOException {
    drain();
    out.flush();
  }
}
