package org.kblake.cli.command.coverage;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;

/** The states of groups as JSON. Times are in ISO 8601 and in nanoseconds. */
final class HistoryJson {

  private final JsonGenerator json;
  private final ZoneId zone;

  private HistoryJson(JsonGenerator json, ZoneId zone) {
    this.json = json;
    this.zone = zone;
  }

  /**
   * Writes histories.
   *
   * @param out the destination, which is flushed, and not closed
   */
  static void write(Histories histories, OutputStream out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    new HistoryJson(json, histories.zone()).write(histories);
    json.flush();
    out.write("\n".getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void write(Histories histories) throws IOException {
    json.writeStartObject();
    writeRange(histories.range());
    json.writeArrayFieldStart("groups");
    for (Group group : histories.groups()) {
      write(histories.of(group));
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void write(GroupHistory group) throws IOException {
    json.writeStartObject();
    json.writeStringField("group", group.group().toString());
    double share = group.columnsShare();
    if (Double.isNaN(share)) {
      json.writeNullField("columnsShare");
    } else {
      json.writeNumberField("columnsShare", share);
    }
    json.writeObjectFieldStart("seconds");
    for (LogState state : LogState.values()) {
      json.writeNumberField(state.text(), group.nanos(state) * 1e-9);
    }
    json.writeEndObject();
    json.writeArrayFieldStart("spans");
    for (StateSpan span : group.spans()) {
      json.writeStartObject();
      json.writeStringField("state", span.state().text());
      writeRange(span.range());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("problems");
    for (String problem : group.problems()) {
      json.writeString(problem);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeRange(TimeRange range) throws IOException {
    writeTime("from", range.fromNanos());
    writeTime("to", range.toNanos());
  }

  private void writeTime(String name, long nanos) throws IOException {
    json.writeStringField(name, TimeArgument.text(nanos, zone));
    json.writeNumberField(name + "Nanos", nanos);
  }
}
