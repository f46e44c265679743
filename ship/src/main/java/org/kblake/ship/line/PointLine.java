package org.kblake.ship.line;

import java.nio.charset.StandardCharsets;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.Channel;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.format.number.DecimalText;

/**
 * Events as lines of InfluxDB's line protocol.
 *
 * <pre>
 *   MEASUREMENT,channel=NAME,group=SYSTEM/NAME[,seq=RANK] FIELDS NANOSECONDS
 *
 *   a finite number   value=1.5,severity=0i,status=0i       of every type, as a float
 *   not finite        special="NaN",...                     NaN, Infinity or -Infinity
 *   a text            text="...",...
 *   a waveform        list="[1.0,\"NaN\"]",...              JSON
 *   no value          state="disconnected"                  or connected
 * </pre>
 *
 * So no field has two types, whatever the types of a channel are. Not thread safe.
 */
public final class PointLine {

  /**
   * A field with a value.
   *
   * @param text its value, without quotes and escapes
   */
  public record Field(String name, String text) {

    public static final String NUMBER = "value";

    boolean isNumber() {
      return name.equals(NUMBER);
    }
  }

  private final byte[] measurement;
  private final DecimalText decimals = new DecimalText();
  private final byte[] number = new byte[DecimalText.MAX_BYTES];

  public PointLine(String measurement) {
    this.measurement = tag(measurement).getBytes(StandardCharsets.UTF_8);
  }

  /** Returns a channel's part of its lines: measurement and tags without the rank. */
  public byte[] prefix(Channel channel) {
    String tags = ",channel=" + tag(channel.name()) + ",group=" + tag(channel.group().toString());
    byte[] text = tags.getBytes(StandardCharsets.UTF_8);
    byte[] prefix = new byte[measurement.length + text.length];
    System.arraycopy(measurement, 0, prefix, 0, measurement.length);
    System.arraycopy(text, 0, prefix, measurement.length, text.length);
    return prefix;
  }

  /** Returns the name of a channel as the tag has it: no escape of a tag gives these characters. */
  public static String name(String channel) {
    return channel.replace("\\", "%5C").replace("\n", "%0A");
  }

  private static String tag(String text) {
    return name(text).replace(",", "\\,").replace("=", "\\=").replace(" ", "\\ ");
  }

  /**
   * Adds the line of a row.
   *
   * @param rank that of {@link EventRanks}
   */
  public void add(PointLines batch, byte[] prefix, String rank, EventColumns events, int row) {
    batch.put(prefix);
    if (!rank.isEmpty()) {
      batch.put(",seq=" + rank);
    }
    Field field = field(events, row);
    batch.put(" " + field.name + (field.isNumber() ? "=" : "=\""));
    batch.put(field.isNumber() ? field.text : escaped(field.text) + "\"");
    if (events.hasValue(row)) {
      batch.put(",severity=" + events.severity[row] + "i");
      batch.put(",status=" + (events.status[row] & 0xFFFF) + "i");
    }
    batch.put(" " + events.timeNanos[row]);
    batch.endLine();
  }

  /** Returns the field that has the value of a row. */
  public Field field(EventColumns events, int row) {
    if (!events.hasValue(row)) {
      return new Field("state", EventState.of(events.state[row]).text());
    }
    if (events.waveform()) {
      return new Field("list", json(events, row));
    }
    if (events.type() == ValueType.STRING) {
      return new Field("text", events.asText(row));
    }
    boolean finite = Double.isFinite(events.asDouble(row));
    return new Field(finite ? Field.NUMBER : "special", digits(events, row));
  }

  /** Returns a number as short as reads back as the same number of its type. */
  private String digits(EventColumns events, int element) {
    int length =
        events.type() == ValueType.FLOAT
            ? decimals.write(Float.intBitsToFloat((int) events.values[element]), number, 0)
            : decimals.write(events.type().number(events.values[element]), number, 0);
    return new String(number, 0, length, StandardCharsets.ISO_8859_1);
  }

  private String json(EventColumns events, int row) {
    StringBuilder text = new StringBuilder("[");
    int to = events.listStarts[row + 1];
    for (int element = events.listStarts[row]; element < to; element++) {
      text.append(text.length() > 1 ? "," : "");
      if (events.type() == ValueType.STRING) {
        int start = events.textStarts[element];
        int length = events.textStarts[element + 1] - start;
        quote(new String(events.text, start, length, StandardCharsets.UTF_8), text);
      } else {
        double value = events.type().number(events.values[element]);
        String digits = digits(events, element);
        text.append(Double.isFinite(value) ? digits : "\"" + digits + "\"");
      }
    }
    return text.append(']').toString();
  }

  private static void quote(String text, StringBuilder into) {
    into.append('"');
    for (int i = 0; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each < ' ') {
        into.append(String.format("\\u%04x", (int) each));
      } else {
        into.append(each == '"' || each == '\\' ? "\\" : "").append(each);
      }
    }
    into.append('"');
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }
}
