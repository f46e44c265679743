package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.format.number.Digits;
import org.kblake.format.text.EventCell;
import org.kblake.format.text.TextBuffer;

/**
 * {@code csv}: events as the rows of {@code kblake get}, a grid as a table with a column for each
 * record. A cell is empty before the first value. Numbers have full precision, and texts are quoted
 * after RFC 4180.
 */
public final class CsvFormat implements AnswerFormat {

  private final LineOutput out;
  private final TextBuffer text;
  private final EventCell cells;
  private final List<Column> columns;
  private final boolean table;
  private final byte[][] names;

  /**
   * @param table whether held values are rows of a table with a column for each record
   */
  public CsvFormat(
      LineOutput out, List<Column> columns, List<String> names, ZoneId zone, boolean table)
      throws IOException {
    this.out = out;
    this.text = out.text();
    this.cells = new EventCell(zone);
    this.columns = columns;
    this.table = table;
    this.names = new byte[names.size()][];
    for (int i = 0; i < this.names.length; i++) {
      this.names[i] = bytes(names.get(i));
    }
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void begin() throws IOException {
    if (table) {
      text.put(bytes("time"));
      for (Column column : columns) {
        text.put((byte) ',');
        cells.text(bytes(column.name()), text);
      }
    } else {
      text.put(bytes("time,channel,state,severity,status,value"));
    }
    out.endLine();
  }

  @Override
  public void event(EventColumns events, int row, int channel) throws IOException {
    cells.time(events.timeNanos[row], text);
    text.put((byte) ',');
    cells.text(names[channel], text);
    text.put((byte) ',');
    text.put(bytes(EventState.of(events.state[row]).text()));
    text.put((byte) ',');
    number(events.severity[row]);
    text.put((byte) ',');
    number(Short.toUnsignedInt(events.status[row]));
    text.put((byte) ',');
    if (events.state[row] == EventState.VALUE_CODE) {
      cells.value(events, row, text);
    }
    out.endLine();
  }

  private void number(int value) throws IOException {
    text.ensure(Digits.MAX_LONG_BYTES);
    text.position = Digits.writeLong(value, text.bytes, text.position);
  }

  @Override
  public void connection(long nanos, int channel, EventState state) {}

  @Override
  public void held(long nanos, HeldRow row) throws IOException {
    if (table) {
      tableRow(nanos, row);
      return;
    }
    for (int channel = 0; channel < names.length; channel++) {
      if (row.isKnown(channel)) {
        event(row.columns(channel), row.row(channel), channel);
      }
    }
  }

  private void tableRow(long nanos, HeldRow row) throws IOException {
    cells.time(nanos, text);
    for (Column column : columns) {
      text.put((byte) ',');
      int channel = column.channel();
      if (channel >= 0 && row.isKnown(channel)) {
        cells.value(row.columns(channel), row.row(channel), text);
      }
    }
    out.endLine();
  }

  @Override
  public void end() {}
}
