package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.format.number.Digits;
import org.kblake.format.text.TextBuffer;

/**
 * {@code sad}: one list for SADScript, with a list for each record. It has no connection events.
 *
 * <pre>
 *   {{"RECORD",{{t,v},
 *   {t,v},
 *   ...}},
 *   {"RECORD",{}}}
 * </pre>
 *
 * t is in seconds since 1900-01-01T00:00:00 in the archive's zone, truncated to three decimals. v
 * is a number, a quoted string, or a list of these. Lines end inside of an open list, so that all
 * lines are one expression.
 */
public final class SadFormat implements AnswerFormat {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;
  private static final int NANOS_PER_MILLI = 1_000_000;

  private final LineOutput out;
  private final List<String> names;
  private final Cells cells = new QuotedCells();
  private final long epochSecond;
  private final boolean stampEvents;
  private final SpilledTexts texts;
  private final TextBuffer pair = TextBuffer.inMemory();

  /**
   * @param stampEvents whether held values have the time of the event that set them
   */
  public SadFormat(LineOutput out, List<String> names, ZoneId zone, boolean stampEvents) {
    this.out = out;
    this.names = List.copyOf(names);
    this.stampEvents = stampEvents;
    epochSecond = LocalDate.of(1900, 1, 1).atStartOfDay(zone).toEpochSecond();
    texts = new SpilledTexts(names.size());
  }

  @Override
  public void begin() {}

  @Override
  public void event(EventColumns columns, int row, int channel) throws IOException {
    if (columns.state[row] == EventState.VALUE_CODE) {
      value(columns.timeNanos[row], columns, row, channel);
    }
  }

  @Override
  public void connection(long nanos, int channel, EventState state) {}

  @Override
  public void held(long nanos, HeldRow row) throws IOException {
    for (int channel = 0; channel < names.size(); channel++) {
      if (row.isKnown(channel)) {
        EventColumns columns = row.columns(channel);
        int at = row.row(channel);
        value(stampEvents ? columns.timeNanos[at] : nanos, columns, at, channel);
      }
    }
  }

  private void value(long nanos, EventColumns columns, int row, int channel) throws IOException {
    pair.position = 0;
    pair.put((byte) '{');
    time(nanos);
    pair.put((byte) ',');
    if (columns.waveform()) {
      list(columns, row);
    } else {
      cells.write(columns, row, pair);
    }
    pair.put((byte) '}');
    texts.append(channel, pair.bytes, pair.position);
  }

  private void list(EventColumns columns, int row) throws IOException {
    int first = Cells.first(columns, row);
    int end = first + Cells.count(columns, row);
    pair.put((byte) '{');
    for (int element = first; element < end; element++) {
      if (element > first) {
        pair.put((byte) ',');
      }
      cells.write(columns, element, pair);
    }
    pair.put((byte) '}');
  }

  private void time(long nanos) throws IOException {
    long second = Math.floorDiv(nanos, NANOS_PER_SECOND);
    int millis = (int) (nanos - second * NANOS_PER_SECOND) / NANOS_PER_MILLI;
    pair.ensure(Digits.MAX_LONG_BYTES + 4);
    int at = Digits.writeLong(second - epochSecond, pair.bytes, pair.position);
    pair.bytes[at] = '.';
    pair.bytes[at + 1] = (byte) ('0' + millis / 100);
    Digits.write2(millis % 100, pair.bytes, at + 2);
    pair.position = at + 4;
  }

  @Override
  public void end() throws IOException {
    TextBuffer text = out.text();
    text.put((byte) '{');
    for (int i = 0; i < names.size(); i++) {
      if (i > 0) {
        text.put((byte) ',');
        out.endLine();
      }
      text.put(("{\"" + names.get(i) + "\",{").getBytes(StandardCharsets.UTF_8));
      texts.write(i, out);
      text.put((byte) '}');
      text.put((byte) '}');
    }
    text.put((byte) '}');
    out.endLine();
  }

  @Override
  public void close() throws IOException {
    texts.close();
  }
}
