package org.kblake.server.internal.api;

import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ChannelMetadata;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.HeldValue;

/** Writes what is known of a channel. */
final class ChannelTexts {

  private ChannelTexts() {}

  /** Returns whether the values of a channel are numbers, by its last record table. */
  static boolean isNumber(ChannelInfo info) {
    return !info.waveform() && info.type() != ValueType.STRING && info.type() != ValueType.ENUM;
  }

  /** Writes name, group and type. */
  static void writeName(JsonAnswer json, ChannelInfo info) throws IOException {
    json.name("name").text(info.channel().name());
    json.name("group").text(info.channel().group().toString());
    json.name("type").text(info.type().text());
    json.name("elements").integer(info.elementCount());
  }

  /** Writes name, group, type, unit, precision and the texts of an enum's states. */
  static void write(JsonAnswer json, ChannelInfo info, ChannelMetadata metadata)
      throws IOException {
    writeName(json, info);
    writeText(json.name("unit"), metadata.unit());
    json.name("precision");
    if (metadata.precision().isPresent()) {
      json.integer(metadata.precision().getAsInt());
    } else {
      json.nothing();
    }
    json.name("labels");
    if (metadata.labels().isEmpty()) {
      json.nothing();
    } else {
      json.array(out -> writeTexts(out, metadata.labels()));
    }
  }

  /** Writes everything that is known of a channel beside its unit. */
  static void writeMore(JsonAnswer json, ChannelMetadata metadata) throws IOException {
    writeText(json.name("description"), metadata.description());
    json.name("aliases").array(out -> writeTexts(out, metadata.formerNames()));
    json.name("presentNames").array(out -> writeTexts(out, metadata.presentNames()));
    writeNumber(json.name("low"), metadata.low());
    writeNumber(json.name("high"), metadata.high());
    writeNumber(json.name("lolo"), metadata.lolo());
    writeNumber(json.name("lo"), metadata.lo());
    writeNumber(json.name("hi"), metadata.hi());
    writeNumber(json.name("hihi"), metadata.hihi());
  }

  private static void writeText(JsonAnswer json, @Nullable String text) throws IOException {
    if (text == null) {
      json.nothing();
    } else {
      json.text(text);
    }
  }

  private static void writeNumber(JsonAnswer json, OptionalDouble number) throws IOException {
    if (number.isPresent()) {
      json.number(number.getAsDouble());
    } else {
      json.nothing();
    }
  }

  /** Writes texts as elements of an array. */
  static void writeTexts(JsonAnswer json, List<String> texts) throws IOException {
    for (String text : texts) {
      json.text(text);
    }
  }

  /** Writes a value that is held. */
  static void writeHeld(JsonAnswer json, HeldValue held) throws IOException {
    json.name("time").time(held.sinceNanos());
    json.name("value").value(held.value());
    json.name("severity").integer(held.severity());
    json.name("status").integer(held.status());
    json.name("state")
        .text(held.connection() == HeldValue.Connection.DISCONNECTED ? "disconnected" : "value");
  }
}
