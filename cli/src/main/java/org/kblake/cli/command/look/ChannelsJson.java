package org.kblake.cli.command.look;

import java.io.IOException;
import java.io.Writer;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.kblake.cli.command.shared.JsonText;
import org.kblake.cli.settings.Settings;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.format.argument.TimeArgument;

/**
 * Writes channels as JSON. The names of members are those of {@code /api/v1/metadata} of the
 * server. Times are in ISO 8601. What is unknown is null.
 */
final class ChannelsJson {

  private final JsonText json;
  private final ZoneId zone;

  private ChannelsJson(JsonText json, ZoneId zone) {
    this.json = json;
    this.zone = zone;
  }

  /**
   * @param complete whether all record tables, and all logs that may have last values, were read
   */
  static void write(ChannelDetails details, Settings settings, boolean complete, Writer out)
      throws IOException {
    List<Integer> all = IntStream.range(0, details.channels().size()).boxed().toList();
    JsonText.write(
        out,
        json -> {
          ChannelsJson writer = new ChannelsJson(json, settings.outZone());
          json.objects("channels", all, i -> writer.write(details, i, settings.zone()));
          json.field("complete", complete);
        });
  }

  private void write(ChannelDetails details, int index, ZoneId ofArchive) throws IOException {
    RecordedChannel channel = details.channels().get(index);
    json.field("name", channel.name());
    json.field("group", channel.group().toString());
    json.field("type", channel.type().text());
    json.field("elements", channel.elementCount());
    writeMetadata(details.metadata().get(index));
    json.object("recorded", () -> json.field("from", text(channel.sinceNanos(ofArchive))));
    Long last = details.lastNanos(index);
    if (last == null) {
      json.field("lastValue", null);
    } else {
      json.object("lastValue", () -> json.field("time", text(last)));
    }
  }

  private void writeMetadata(ChannelMetadata metadata) throws IOException {
    json.field("unit", metadata.unit());
    OptionalInt precision = metadata.precision();
    json.field("precision", precision.isPresent() ? Integer.valueOf(precision.getAsInt()) : null);
    if (metadata.labels().isEmpty()) {
      json.field("labels", null);
    } else {
      json.texts("labels", metadata.labels());
    }
    json.field("description", metadata.description());
    json.texts("aliases", metadata.formerNames());
    json.texts("presentNames", metadata.presentNames());
    limit("low", metadata.low());
    limit("high", metadata.high());
    limit("lolo", metadata.lolo());
    limit("lo", metadata.lo());
    limit("hi", metadata.hi());
    limit("hihi", metadata.hihi());
  }

  private void limit(String name, OptionalDouble number) throws IOException {
    json.field(name, number.isPresent() ? Double.valueOf(number.getAsDouble()) : null);
  }

  private String text(long nanos) {
    return TimeArgument.text(nanos, zone);
  }
}
