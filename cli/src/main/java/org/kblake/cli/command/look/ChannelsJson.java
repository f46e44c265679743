package org.kblake.cli.command.look;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.settings.Settings;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.format.argument.TimeArgument;

/**
 * Writes channels as JSON. The names of members are those of {@code /api/v1/metadata} of the
 * server. Times are in ISO 8601. What is unknown is null.
 */
final class ChannelsJson {

  private final JsonGenerator json;
  private final ZoneId zone;

  private ChannelsJson(JsonGenerator json, ZoneId zone) {
    this.json = json;
    this.zone = zone;
  }

  /**
   * @param complete whether all record tables, and all logs that may have last values, were read
   */
  static void write(ChannelDetails details, Settings settings, boolean complete, Writer out)
      throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    json.writeStartObject();
    json.writeArrayFieldStart("channels");
    ChannelsJson writer = new ChannelsJson(json, settings.outZone());
    for (int i = 0; i < details.channels().size(); i++) {
      RecordedChannel channel = details.channels().get(i);
      json.writeStartObject();
      writer.writeRecorded(channel);
      writer.writeMetadata(details.metadata().get(i));
      json.writeObjectFieldStart("recorded");
      writer.writeTime("from", channel.sinceNanos(settings.zone()));
      json.writeEndObject();
      writer.writeLastValue(details.lastNanos(i));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeBooleanField("complete", complete);
    json.writeEndObject();
    json.flush();
    out.append('\n');
  }

  private void writeRecorded(RecordedChannel channel) throws IOException {
    json.writeStringField("name", channel.name());
    json.writeStringField("group", channel.group().toString());
    json.writeStringField("type", channel.type().text());
    json.writeNumberField("elements", channel.elementCount());
  }

  private void writeMetadata(ChannelMetadata metadata) throws IOException {
    json.writeStringField("unit", metadata.unit());
    json.writeFieldName("precision");
    if (metadata.precision().isPresent()) {
      json.writeNumber(metadata.precision().getAsInt());
    } else {
      json.writeNull();
    }
    if (metadata.labels().isEmpty()) {
      json.writeNullField("labels");
    } else {
      writeTexts("labels", metadata.labels());
    }
    json.writeStringField("description", metadata.description());
    writeTexts("aliases", metadata.formerNames());
    writeTexts("presentNames", metadata.presentNames());
    writeNumber("low", metadata.low());
    writeNumber("high", metadata.high());
    writeNumber("lolo", metadata.lolo());
    writeNumber("lo", metadata.lo());
    writeNumber("hi", metadata.hi());
    writeNumber("hihi", metadata.hihi());
  }

  private void writeTexts(String name, List<String> texts) throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }

  private void writeNumber(String name, OptionalDouble number) throws IOException {
    json.writeFieldName(name);
    if (number.isPresent()) {
      json.writeNumber(number.getAsDouble());
    } else {
      json.writeNull();
    }
  }

  private void writeLastValue(@Nullable Long nanos) throws IOException {
    if (nanos == null) {
      json.writeNullField("lastValue");
    } else {
      json.writeObjectFieldStart("lastValue");
      writeTime("time", nanos);
      json.writeEndObject();
    }
  }

  private void writeTime(String name, long nanos) throws IOException {
    json.writeStringField(name, TimeArgument.text(nanos, zone));
  }
}
