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
 * Rows as lines of text that go out as whole lines and never end: the same lines as {@link
 * OutputFormat#writer} writes, of channels that need not be known beforehand. Not thread safe; the
 * stream below stays the caller's.
 */
public final class EventLines {

  private static final int FULL_BYTES = 1 << 15;

  private final OutputStream out;
  private final TextDialect dialect;
  private final EventCell cell;
  private final boolean quotedTime;
  private final boolean withGroup;
  private final boolean withStray;
  private final TextBuffer lines = TextBuffer.inMemory();
  private final Map<Channel, byte[]> channelCells = new HashMap<>();

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
    quotedTime = dialect.objects() && !time.numeric();
    List<String> columns = new ArrayList<>(List.of("time", "channel"));
    if (withGroup) {
      columns.add("group");
    }
    columns.addAll(List.of("state", "severity", "status"));
    if (withStray) {
      columns.add("stray");
    }
    columns.add("value");
    text(dialect.opening(columns));
  }

  /** Writes the rows [from, to) of one channel. */
  public void write(Channel channel, EventColumns events, int from, int to) throws IOException {
    byte[] names = channelCells.get(channel);
    if (names == null) {
      names = names(channel);
      channelCells.put(channel, names);
    }
    for (int row = from; row < to; row++) {
      text(dialect.rowOpening(false) + dialect.cellOpening("time", true) + quote());
      cell.time(events.timeNanos[row], lines);
      text(quote());
      lines.put(names);
      text(facts(events, row));
      if (events.state[row] == EventState.VALUE.code()) {
        cell.value(events, row, lines);
      } else {
        text(dialect.noValue());
      }
      text(dialect.rowClosing());
      if (lines.position >= FULL_BYTES) {
        drain();
      }
    }
  }

  private String quote() {
    return quotedTime ? "\"" : "";
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

  private String facts(EventColumns events, int row) {
    String state = EventState.of(events.state[row]).text();
    StringBuilder facts = new StringBuilder();
    facts.append(dialect.cellOpening("state", false));
    facts.append(dialect.objects() ? '"' + state + '"' : state);
    facts.append(dialect.cellOpening("severity", false)).append(events.severity[row]);
    facts.append(dialect.cellOpening("status", false)).append(events.status[row] & 0xffff);
    if (withStray) {
      boolean stray = events.stray[row] != 0;
      facts.append(dialect.cellOpening("stray", false));
      facts.append(dialect.objects() ? String.valueOf(stray) : stray ? "1" : "0");
    }
    return facts.append(dialect.cellOpening("value", false)).toString();
  }

  private void text(String text) throws IOException {
    lines.put(text.getBytes(UTF_8));
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
