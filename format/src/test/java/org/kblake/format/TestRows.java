package org.kblake.format;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.format.text.LineForm;
import org.kblake.format.text.ParallelLines;
import org.kblake.format.time.TimeStyle;

/** Rows of an answer as a cursor returns them, filled by tests, and their text. */
public final class TestRows {

  private static final Group GROUP = Group.parse("VA/CCG");

  private final List<Row> rows = new ArrayList<>();
  private final boolean withGroup;
  private final boolean withStray;

  private record Row(Channel channel, EventColumns columns) {}

  /** Creates rows of one group, without strays. */
  public TestRows() {
    this(false, false);
  }

  public TestRows(boolean withGroup, boolean withStray) {
    this.withGroup = withGroup;
    this.withStray = withStray;
  }

  /**
   * Adds a row.
   *
   * @param value a {@link Number}, a {@link String}, or a list of these; null for no value
   */
  public TestRows add(
      long nanos,
      String channel,
      int state,
      int severity,
      int status,
      ValueType type,
      @Nullable Object value) {
    return add(nanos, new Channel(GROUP, channel), state, severity, status, false, type, value);
  }

  /** Adds a row of any group. */
  public TestRows add(
      long nanos,
      Channel channel,
      int state,
      int severity,
      int status,
      boolean stray,
      ValueType type,
      @Nullable Object value) {
    List<?> elements =
        value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
    EventColumns columns = new EventColumns(type, value instanceof List, 1);
    columns.ensureElements(Math.max(1, elements.size()));
    columns.count = 1;
    columns.timeNanos[0] = nanos;
    columns.state[0] = (byte) state;
    columns.severity[0] = (byte) severity;
    columns.status[0] = (short) status;
    columns.stray[0] = (byte) (stray ? 1 : 0);
    for (int i = 0; i < elements.size(); i++) {
      set(columns, i, elements.get(i));
    }
    if (columns.waveform()) {
      columns.listStarts[1] = elements.size();
    }
    rows.add(new Row(channel, columns));
    return this;
  }

  private static void set(EventColumns columns, int element, Object value) {
    switch (columns.type()) {
      case STRING -> {
        byte[] text = ((String) value).getBytes(UTF_8);
        int start = columns.textStarts[element];
        columns.ensureText(start + text.length);
        System.arraycopy(text, 0, columns.text, start, text.length);
        columns.textStarts[element + 1] = start + text.length;
      }
      case DOUBLE -> columns.values[element] = Double.doubleToRawLongBits((Double) value);
      case FLOAT -> columns.values[element] = Float.floatToRawIntBits((Float) value);
      case SHORT, ENUM, CHAR, LONG -> columns.values[element] = (Integer) value;
    }
  }

  /** Returns the rows as text. */
  public String text(OutputFormat format) throws IOException {
    return text(format, TimeStyle.ISO);
  }

  public String text(OutputFormat format, TimeStyle style) throws IOException {
    return text(format, style, 1);
  }

  /** Returns the rows several times in one text. */
  public String text(OutputFormat format, TimeStyle style, int times) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LineForm form = new LineForm(format, style, TestAnswer.TOKYO, withGroup, withStray);
    try (ParallelLines lines = new ParallelLines(out, form)) {
      for (int i = 0; i < times; i++) {
        for (Row row : rows) {
          lines.write(row.channel, row.columns, 0, 1);
        }
      }
      lines.finish();
    }
    return out.toString(UTF_8);
  }
}
