package org.kblake.format.text;

import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.kblake.format.number.DecimalText;
import org.kblake.format.time.IsoTimeText;
import org.kblake.format.time.TimeText;

/** Formats single values as the text formats do, for listings. Not thread safe. */
public final class CellText {

  private final IsoTimeText times;
  private final DecimalText decimals = new DecimalText();
  private final byte[] text = new byte[Math.max(TimeText.MAX_BYTES, DecimalText.MAX_BYTES)];

  /**
   * @param zone the zone of local times and offsets
   */
  public CellText(ZoneId zone) {
    times = new IsoTimeText(zone);
  }

  /**
   * @param nanos nanoseconds since 1970 UTC
   */
  public String time(long nanos) {
    return text(times.write(nanos, text, 0));
  }

  /**
   * Formats an element of a value. A number is the shortest decimal that reads back as the same
   * number. A text is quoted and escaped as by {@link #printable}.
   */
  public String element(Object element) {
    if (element instanceof Double number) {
      return text(decimals.write(number, text, 0));
    }
    if (element instanceof Float number) {
      return text(decimals.write(number, text, 0));
    }
    return element instanceof String string
        ? '"' + printable(string).replace("\"", "\\\"") + '"'
        : element.toString();
  }

  /**
   * Escapes control characters and backslashes, so that a text in a file cannot control a terminal.
   */
  public static String printable(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            c -> {
              if (c == '\\') {
                shown.append("\\\\");
              } else if (Character.isISOControl(c) || Character.getType(c) == Character.FORMAT) {
                shown.append(String.format("\\u%04x", c));
              } else {
                shown.appendCodePoint(c);
              }
            });
    return shown.toString();
  }

  private String text(int end) {
    return new String(text, 0, end, StandardCharsets.US_ASCII);
  }
}
