package org.kblake.format.text;

import java.io.IOException;
import java.time.ZoneId;
import org.kblake.core.columns.EventColumns;
import org.kblake.format.number.DecimalText;
import org.kblake.format.number.Digits;
import org.kblake.format.time.IsoTimeText;
import org.kblake.format.time.TimeText;

/** Writes times, names and values as cells of a line. Not thread safe. */
public final class EventCell {

  private final TextDialect dialect;
  private final TimeText time;
  private final DecimalText decimals = new DecimalText();
  private final TextBuffer json = TextBuffer.inMemory();

  /** Creates cells of CSV with times in ISO 8601. */
  public EventCell(ZoneId zone) {
    this(TextDialect.CSV, new IsoTimeText(zone));
  }

  EventCell(TextDialect dialect, TimeText time) {
    this.dialect = dialect;
    this.time = time;
  }

  /** Appends an instant. */
  public void time(long nanos, TextBuffer target) throws IOException {
    target.ensure(TimeText.MAX_BYTES);
    target.position = time.write(nanos, target.bytes, target.position);
  }

  /** Appends a text in UTF-8. */
  public void text(byte[] text, TextBuffer target) throws IOException {
    dialect.escape().write(text, 0, text.length, target);
  }

  /** Appends the value of a row whose state is value. A waveform is a JSON array. */
  public void value(EventColumns columns, int row, TextBuffer target) throws IOException {
    if (!columns.waveform()) {
      element(columns, row, dialect.escape(), target);
      return;
    }
    json.position = 0;
    json.put((byte) '[');
    for (int i = columns.listStarts[row]; i < columns.listStarts[row + 1]; i++) {
      if (json.position > 1) {
        json.put((byte) ',');
      }
      element(columns, i, TextEscape.JSON, json);
    }
    json.put((byte) ']');
    dialect.writeJson(json, target);
  }

  private void element(EventColumns columns, int element, TextEscape escape, TextBuffer target)
      throws IOException {
    target.ensure(DecimalText.MAX_BYTES + 2);
    switch (columns.type()) {
      case DOUBLE -> {
        double value = Double.longBitsToDouble(columns.values[element]);
        boolean quoted = escape == TextEscape.JSON && !Double.isFinite(value);
        quote(quoted, target);
        target.position = decimals.write(value, target.bytes, target.position);
        quote(quoted, target);
      }
      case FLOAT -> {
        float value = Float.intBitsToFloat((int) columns.values[element]);
        boolean quoted = escape == TextEscape.JSON && !Float.isFinite(value);
        quote(quoted, target);
        target.position = decimals.write(value, target.bytes, target.position);
        quote(quoted, target);
      }
      case SHORT, ENUM, CHAR, LONG ->
          target.position =
              Digits.writeLong(columns.values[element], target.bytes, target.position);
      case STRING ->
          escape.write(
              columns.text, columns.textStarts[element], columns.textStarts[element + 1], target);
    }
  }

  private static void quote(boolean quoted, TextBuffer target) {
    if (quoted) {
      target.bytes[target.position++] = '"';
    }
  }
}
