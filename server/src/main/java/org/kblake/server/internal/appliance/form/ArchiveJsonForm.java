package org.kblake.server.internal.appliance.form;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.format.text.AlarmStatus;
import org.kblake.server.internal.appliance.channel.ChannelFacts;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * The samples of the JSON archive protocol: an array with an object for each sample. {@code type}
 * is before {@code value}, since the client reads them in this order, and there are no other
 * members, since it accepts none.
 */
public final class ArchiveJsonForm implements AnswerForm {

  private static final List<String> LEVELS = List.of("OK", "MINOR", "MAJOR", "INVALID");

  /** The members of numeric metadata that are limits, and their names in the other protocol. */
  private static final Map<String, String> LIMITS =
      Map.of(
          "displayLow", "LOPR",
          "displayHigh", "HOPR",
          "warnLow", "LOW",
          "warnHigh", "HIGH",
          "alarmLow", "LOLO",
          "alarmHigh", "HIHI");

  /** A precision that the client shows with all digits. */
  private static final int UNKNOWN_PRECISION = -1;

  private final JsonGenerator json;
  private final JsonValues values = new JsonValues(true);
  private final boolean extremes;
  private Map<String, String> facts = Map.of();

  /**
   * @param extremes whether numbers have a minimum and a maximum
   */
  public ArchiveJsonForm(OutputStream out, boolean extremes) throws IOException {
    this.extremes = extremes;
    json = JsonForm.generator(out);
    json.writeStartArray();
  }

  @Override
  public void begin(ChannelHeader header, AnsweredSample first) {
    facts = header.facts();
  }

  @Override
  public void sample(AnsweredSample sample) throws IOException {
    EventColumns columns = sample.columns();
    boolean bin = extremes && sample.isBin();
    // A channel whose type changed may have texts and lists beside numbers.
    boolean hasExtremes =
        bin || extremes && !columns.waveform() && columns.type() != ValueType.STRING;
    json.writeStartObject();
    json.writeNumberField("time", sample.timeNanos());
    json.writeObjectFieldStart("severity");
    json.writeStringField("level", LEVELS.get(Math.min(sample.severity(), LEVELS.size() - 1)));
    json.writeBooleanField("hasValue", true);
    json.writeEndObject();
    json.writeStringField("status", AlarmStatus.name(sample.status()));
    json.writeStringField("quality", bin ? "Interpolated" : "Original");
    metadata(hasExtremes ? ValueType.DOUBLE : columns.type());
    json.writeStringField("type", hasExtremes ? "minMaxDouble" : type(columns.type()));
    json.writeFieldName("value");
    if (bin) {
      int first = sample.firstElement();
      json.writeStartArray();
      write(columns, first);
      json.writeEndArray();
      json.writeFieldName("minimum");
      write(columns, first + 2);
      json.writeFieldName("maximum");
      write(columns, first + 3);
    } else {
      values.writeArray(json, sample);
      if (hasExtremes) {
        double number = columns.asDouble(sample.row());
        json.writeFieldName("minimum");
        values.write(json, number);
        json.writeFieldName("maximum");
        values.write(json, number);
      }
    }
    json.writeEndObject();
  }

  private void write(EventColumns columns, int element) throws IOException {
    values.write(json, columns.type().number(columns.values[element]));
  }

  private static String type(ValueType type) {
    return switch (type) {
      case FLOAT, DOUBLE -> "double";
      case SHORT, CHAR, LONG -> "long";
      case ENUM -> "enum";
      case STRING -> "string";
    };
  }

  private void metadata(ValueType type) throws IOException {
    switch (type) {
      case STRING -> {}
      case ENUM -> {
        json.writeObjectFieldStart("metaData");
        json.writeStringField("type", "enum");
        json.writeArrayFieldStart("states");
        for (int state = 0; facts.containsKey(ChannelFacts.LABEL + state); state++) {
          json.writeString(facts.get(ChannelFacts.LABEL + state));
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      case SHORT, FLOAT, CHAR, LONG, DOUBLE -> {
        json.writeObjectFieldStart("metaData");
        json.writeStringField("type", "numeric");
        json.writeNumberField(
            "precision", (int) number(facts.getOrDefault("PREC", ""), UNKNOWN_PRECISION));
        json.writeStringField("units", facts.getOrDefault("EGU", ""));
        for (String limit :
            List.of("displayLow", "displayHigh", "warnLow", "warnHigh", "alarmLow", "alarmHigh")) {
          json.writeFieldName(limit);
          String fact = facts.getOrDefault(LIMITS.getOrDefault(limit, ""), "");
          values.write(json, number(fact, Double.NaN));
        }
        json.writeEndObject();
      }
    }
  }

  private static double number(String text, double otherwise) {
    try {
      return text.isEmpty() ? otherwise : Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  @Override
  public void end(@Nullable String missing) throws IOException {
    json.writeEndArray();
    json.close();
  }
}
