package org.kblake.server.internal.appliance.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.format.number.DecimalText;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * Writes values as JSON. Numbers are the shortest decimals that read back as the same numbers. NaN
 * and infinities, which JSON does not have, are null or texts.
 */
public final class JsonValues {

  private final boolean nonFiniteAsText;
  private final DecimalText decimals = new DecimalText();
  private final byte[] bytes = new byte[DecimalText.MAX_BYTES];
  private final char[] digits = new char[DecimalText.MAX_BYTES];

  /**
   * @param nonFiniteAsText whether {@code NaN}, {@code Infinity} and {@code -Infinity} are texts
   */
  public JsonValues(boolean nonFiniteAsText) {
    this.nonFiniteAsText = nonFiniteAsText;
  }

  /** Writes the value of a sample: a number, a text, or an array of these. */
  public void write(JsonGenerator json, AnsweredSample sample) throws IOException {
    if (sample.columns().waveform()) {
      writeArray(json, sample);
    } else {
      writeElement(json, sample.columns(), sample.firstElement());
    }
  }

  /** Writes the value of a sample as an array, which has one element if it is a scalar. */
  public void writeArray(JsonGenerator json, AnsweredSample sample) throws IOException {
    json.writeStartArray();
    for (int element = sample.firstElement(); element < sample.endElement(); element++) {
      writeElement(json, sample.columns(), element);
    }
    json.writeEndArray();
  }

  private void writeElement(JsonGenerator json, EventColumns columns, int element)
      throws IOException {
    switch (columns.type()) {
      case DOUBLE -> write(json, Double.longBitsToDouble(columns.values[element]));
      case FLOAT -> {
        float number = Float.intBitsToFloat((int) columns.values[element]);
        if (Float.isFinite(number)) {
          writeDigits(json, decimals.write(number, bytes, 0));
        } else {
          write(json, (double) number);
        }
      }
      case SHORT, ENUM, CHAR, LONG -> json.writeNumber(columns.values[element]);
      case STRING -> json.writeString(text(columns, element));
    }
  }

  /** Writes a number. */
  public void write(JsonGenerator json, double number) throws IOException {
    if (Double.isFinite(number)) {
      writeDigits(json, decimals.write(number, bytes, 0));
    } else if (nonFiniteAsText) {
      json.writeString(Double.toString(number));
    } else {
      json.writeNull();
    }
  }

  private void writeDigits(JsonGenerator json, int length) throws IOException {
    for (int i = 0; i < length; i++) {
      digits[i] = (char) bytes[i];
    }
    json.writeNumber(digits, 0, length);
  }

  static String text(EventColumns columns, int element) {
    int start = columns.textStarts[element];
    return new String(
        columns.text, start, columns.textStarts[element + 1] - start, StandardCharsets.UTF_8);
  }

  /** Returns the number of a scalar, or of the first element of a list; NaN if there is none. */
  static double number(AnsweredSample sample) {
    EventColumns columns = sample.columns();
    return columns.type() == ValueType.STRING || sample.endElement() == sample.firstElement()
        ? Double.NaN
        : columns.type().number(columns.values[sample.firstElement()]);
  }
}
