package org.kblake.cli.kblogrd.format;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.format.text.TextBuffer;
import org.kblake.format.time.ClockText;

/**
 * {@code free}: a line for each event or held value.
 *
 * <pre>
 *   MM/dd/yyyy HH:mm:ss.cc TAB RECORD TAB VALUE [TAB VALUE]...
 *   MM/dd/yyyy HH:mm:ss.cc TAB RECORD TAB Connected | Disconnected
 * </pre>
 */
public final class FreeFormat implements AnswerFormat {

  private static final byte[] CONNECTED = bytes("Connected");
  private static final byte[] DISCONNECTED = bytes("Disconnected");

  private final LineOutput out;
  private final TextBuffer text;
  private final ClockText clock;
  private final Cells cells = new FreeCells();
  private final boolean stampEvents;

  /** Each name between two tabs. */
  private final byte[][] names;

  /**
   * @param stampEvents whether held values have the time of the event that set them, instead of the
   *     instant
   */
  public FreeFormat(LineOutput out, List<String> names, ZoneId zone, boolean stampEvents) {
    this.out = out;
    this.text = out.text();
    this.clock = new ClockText(zone);
    this.stampEvents = stampEvents;
    this.names = new byte[names.size()][];
    for (int i = 0; i < this.names.length; i++) {
      this.names[i] = bytes("\t" + names.get(i) + "\t");
    }
  }

  private static byte[] bytes(String ascii) {
    return ascii.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void begin() {}

  @Override
  public void event(EventColumns columns, int row, int channel) throws IOException {
    if (columns.state[row] == EventState.VALUE_CODE) {
      value(columns.timeNanos[row], columns, row, channel);
    } else {
      connection(columns.timeNanos[row], channel, EventState.of(columns.state[row]));
    }
  }

  private void value(long nanos, EventColumns columns, int row, int channel) throws IOException {
    lineStart(nanos, channel);
    int element = Cells.first(columns, row);
    int end = element + Cells.count(columns, row);
    cells.write(columns, element, text);
    while (++element < end) {
      text.put((byte) '\t');
      cells.write(columns, element, text);
    }
    out.endLine();
  }

  @Override
  public void connection(long nanos, int channel, EventState state) throws IOException {
    lineStart(nanos, channel);
    text.put(state == EventState.CONNECTED ? CONNECTED : DISCONNECTED);
    out.endLine();
  }

  @Override
  public void held(long nanos, HeldRow row) throws IOException {
    for (int channel = 0; channel < names.length; channel++) {
      if (row.isKnown(channel)) {
        EventColumns columns = row.columns(channel);
        int at = row.row(channel);
        value(stampEvents ? columns.timeNanos[at] : nanos, columns, at, channel);
      }
    }
  }

  private void lineStart(long nanos, int channel) throws IOException {
    byte[] name = names[channel];
    text.ensure(ClockText.BYTES_WITH_FRACTION + name.length);
    int at = clock.writeWithFraction(nanos, text.bytes, text.position);
    System.arraycopy(name, 0, text.bytes, at, name.length);
    text.position = at + name.length;
  }

  @Override
  public void end() {}
}
