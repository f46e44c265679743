package org.kblake.server.internal.appliance.form;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.appliance.sample.AnsweredSample;

/**
 * {@code json} and {@code qw}: an array with an object for each channel, which has {@code meta} and
 * {@code data}. An incomplete answer ends with an object that has {@code complete} and {@code
 * missing} beside them.
 */
public final class JsonForm implements AnswerForm {

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET, StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  private final boolean quick;
  private final JsonGenerator json;
  private final JsonValues values;
  private @Nullable String open;

  /**
   * @param quick whether it is {@code qw}: times in milliseconds, no severity and status
   * @param nonFiniteAsText whether NaN and infinities are texts
   */
  public JsonForm(OutputStream out, boolean quick, boolean nonFiniteAsText) throws IOException {
    this.quick = quick;
    json = generator(out);
    values = new JsonValues(nonFiniteAsText);
    json.writeStartArray();
  }

  /** Returns a generator that does not close the stream. */
  public static JsonGenerator generator(OutputStream out) throws IOException {
    return FACTORY.createGenerator(out);
  }

  @Override
  public void begin(ChannelHeader header, AnsweredSample first) throws IOException {
    close(null);
    open = header.name();
    json.writeStartObject();
    json.writeObjectFieldStart("meta");
    json.writeStringField("name", header.name());
    if (quick) {
      json.writeBooleanField("waveform", first.columns().waveform());
    }
    for (Map.Entry<String, String> fact : header.facts().entrySet()) {
      json.writeStringField(fact.getKey(), fact.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("data");
  }

  @Override
  public void sample(AnsweredSample sample) throws IOException {
    json.writeStartObject();
    if (quick) {
      json.writeNumberField("millis", Math.floorDiv(sample.timeNanos(), 1_000_000L));
      json.writeFieldName("val");
      values.write(json, sample);
    } else {
      json.writeNumberField("secs", sample.seconds());
      json.writeFieldName("val");
      values.write(json, sample);
      json.writeNumberField("nanos", sample.nanos());
      json.writeNumberField("severity", sample.severity());
      json.writeNumberField("status", sample.status());
    }
    if (sample.lostSeconds() != AnsweredSample.ABSENT
        || sample.regainedSeconds() != AnsweredSample.ABSENT) {
      json.writeObjectFieldStart("fields");
      writeSeconds(ConnectionField.LOST, sample.lostSeconds());
      writeSeconds(ConnectionField.REGAINED, sample.regainedSeconds());
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void writeSeconds(String name, long seconds) throws IOException {
    if (seconds != AnsweredSample.ABSENT) {
      json.writeStringField(name, Long.toString(seconds));
    }
  }

  private void close(@Nullable String missing) throws IOException {
    if (open != null) {
      json.writeEndArray();
      if (missing != null) {
        json.writeBooleanField("complete", false);
        json.writeStringField("missing", missing);
      }
      json.writeEndObject();
      open = null;
    }
  }

  @Override
  public void end(@Nullable String missing) throws IOException {
    close(missing);
    json.writeEndArray();
    json.close();
  }
}
