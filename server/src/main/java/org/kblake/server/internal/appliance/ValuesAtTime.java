package org.kblake.server.internal.appliance;

import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.query.HeldValues;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.HeldValue;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.AnswerStream;
import org.kblake.server.internal.appliance.form.JsonForm;
import org.kblake.server.internal.appliance.form.JsonValues;
import org.kblake.server.internal.appliance.request.QueryParameters;
import org.kblake.server.internal.appliance.request.RequestTime;
import org.kblake.server.internal.appliance.request.RequestedChannel;
import org.kblake.server.internal.appliance.request.RequestedNames;
import org.kblake.server.internal.appliance.sample.AnsweredSample;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.data.AnswerMemory;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;

/**
 * {@code getDataAtTime}: the values that many channels held at a time. If several groups have a
 * name, the latest value counts.
 */
final class ValuesAtTime {

  private final ServedArchive archive;

  ValuesAtTime(ServedArchive archive) {
    this.archive = archive;
  }

  void answer(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    long atNanos = RequestTime.nanos("at", parameters.optional("at"), archive.now());
    List<String> names =
        RequestedNames.read(
            context.req().getInputStream(),
            context.req().getContentType(),
            archive.channels().isRecorded());
    long bytes = 0;
    for (String name : names) {
      for (ChannelInfo info : archive.channels().named(RequestedChannel.names(name))) {
        bytes += AnswerMemory.valueBytes(info);
      }
    }
    archive
        .answers()
        .with(
            bytes,
            () ->
                Answer.send(context, "application/json", true, out -> write(out, names, atNanos)));
  }

  private @Nullable String write(AnswerStream out, List<String> names, long atNanos)
      throws IOException {
    Map<String, HeldValue> found = new LinkedHashMap<>();
    Missing missing = Missing.NOTHING;
    Map<String, List<ChannelInfo>> asked = new LinkedHashMap<>();
    for (String name : names) {
      asked.put(name, archive.channels().named(RequestedChannel.names(name)));
    }
    for (Map.Entry<Group, Set<String>> group : byGroup(asked.values()).entrySet()) {
      HeldValues values =
          archive
              .reader()
              .held(
                  archive.heldQuery(
                      ChannelQuestions.selection(group.getKey(), group.getValue()), atNanos));
      missing = missing.and(Missing.of(values.coverage()));
      for (HeldValue value : values.values()) {
        if (value.isKnown()) {
          found.merge(
              value.channel().name(),
              value,
              (one, other) -> one.sinceNanos() >= other.sinceNanos() ? one : other);
        }
      }
    }
    out.note(missing.notes());
    out.note(
        archive
            .reader()
            .losses(byGroup(asked.values()).keySet(), EpochNanos.around(atNanos, atNanos, 1))
            .lines());
    write(out, asked, found);
    return missing.isNothing() ? null : missing.text();
  }

  private static Map<Group, Set<String>> byGroup(Collection<List<ChannelInfo>> asked) {
    Map<Group, Set<String>> byGroup = new TreeMap<>();
    for (List<ChannelInfo> named : asked) {
      for (ChannelInfo info : named) {
        byGroup
            .computeIfAbsent(info.channel().group(), group -> new LinkedHashSet<>())
            .add(info.channel().name());
      }
    }
    return byGroup;
  }

  private static void write(
      OutputStream out, Map<String, List<ChannelInfo>> asked, Map<String, HeldValue> found)
      throws IOException {
    AnsweredSample sample = new AnsweredSample();
    JsonValues values = new JsonValues(false);
    try (JsonGenerator json = JsonForm.generator(out)) {
      json.writeStartObject();
      for (Map.Entry<String, List<ChannelInfo>> each : asked.entrySet()) {
        HeldValue value =
            each.getValue().isEmpty() ? null : found.get(each.getValue().get(0).channel().name());
        if (value != null) {
          sample.set(value.sinceNanos(), value.row(), 0);
          json.writeObjectFieldStart(each.getKey());
          json.writeNumberField("secs", sample.seconds());
          json.writeNumberField("nanos", sample.nanos());
          json.writeFieldName("val");
          values.write(json, sample);
          json.writeNumberField("severity", sample.severity());
          json.writeNumberField("status", sample.status());
          json.writeEndObject();
        }
      }
      json.writeEndObject();
    }
  }
}
