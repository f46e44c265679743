package org.kblake.server.internal.api;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.server.internal.answer.Answer;

/**
 * Writes JSON as the API does: times in milliseconds with a fraction, or as texts of nanoseconds;
 * NaN and infinities as null, or as texts.
 */
public final class JsonAnswer implements AutoCloseable {

  /** What fails has no end. */
  private static final JsonFactory JSON =
      JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_CONTENT).build();

  /** The digits of nanoseconds behind milliseconds. */
  private static final int NANO_DIGITS = 6;

  private final JsonGenerator json;
  private final boolean nanos;
  private final boolean nonFiniteTexts;

  /** Writes the content of an answer. */
  @FunctionalInterface
  public interface Content {
    void write(JsonAnswer json) throws IOException;
  }

  public JsonAnswer(OutputStream out, boolean nanos, boolean nonFiniteTexts) throws IOException {
    json = JSON.createGenerator(out);
    this.nanos = nanos;
    this.nonFiniteTexts = nonFiniteTexts;
  }

  /**
   * Sends an answer while it is written. The header says already whether it is complete, if it says
   * it.
   */
  public static void send(Context context, Parameters parameters, Content content)
      throws IOException {
    boolean nanos = parameters.hasNanos();
    boolean nonFiniteTexts = parameters.hasNonFiniteTexts();
    Answer.sendJson(
        context,
        out -> {
          try (JsonAnswer json = new JsonAnswer(out, nanos, nonFiniteTexts)) {
            json.object(content);
          }
          return null;
        });
  }

  /** Writes an object as a value. */
  public void object(Content content) throws IOException {
    json.writeStartObject();
    content.write(this);
    json.writeEndObject();
  }

  /** Begins a member. Its value follows. */
  public JsonAnswer name(String name) throws IOException {
    json.writeFieldName(name);
    return this;
  }

  /** Writes an array as a value. */
  public void array(Content content) throws IOException {
    json.writeStartArray();
    content.write(this);
    json.writeEndArray();
  }

  public void text(String text) throws IOException {
    json.writeString(text);
  }

  public void nothing() throws IOException {
    json.writeNull();
  }

  public void integer(long number) throws IOException {
    json.writeNumber(number);
  }

  public void bool(boolean value) throws IOException {
    json.writeBoolean(value);
  }

  /**
   * Writes a time.
   *
   * @param epochNanos nanoseconds since 1970 UTC
   */
  public void time(long epochNanos) throws IOException {
    if (nanos) {
      json.writeString(Long.toString(epochNanos));
    } else {
      json.writeNumber(millis(epochNanos));
    }
  }

  /** Returns all digits, which a double does not have. */
  private static String millis(long epochNanos) {
    BigDecimal millis = BigDecimal.valueOf(epochNanos, NANO_DIGITS);
    return (epochNanos == 0 ? BigDecimal.ZERO : millis.stripTrailingZeros()).toPlainString();
  }

  /** Writes a number. */
  public void number(double number) throws IOException {
    if (Double.isFinite(number)) {
      if (number == Math.rint(number) && Math.abs(number) < 1e15 && !isNegativeZero(number)) {
        json.writeNumber((long) number);
      } else {
        json.writeNumber(number);
      }
    } else if (nonFiniteTexts) {
      json.writeString(Double.toString(number));
    } else {
      json.writeNull();
    }
  }

  private static boolean isNegativeZero(double number) {
    return Double.doubleToRawLongBits(number) == Double.doubleToRawLongBits(-0.0);
  }

  /** Writes the value of an event; null if the event has none. */
  public void value(EventColumns columns, int row) throws IOException {
    if (columns.state[row] != EventState.VALUE_CODE) {
      json.writeNull();
    } else {
      value(columns.value(row));
    }
  }

  /** Writes a value: a text, a number, or a list of these. */
  public void value(Object value) throws IOException {
    if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof Float number && Float.isFinite(number)) {
      json.writeNumber(number);
    } else if (value instanceof Integer number) {
      json.writeNumber(number);
    } else if (value instanceof Number number) {
      number(number.doubleValue());
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        value(element);
      }
      json.writeEndArray();
    } else {
      throw new IllegalArgumentException("not a value: " + value);
    }
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
