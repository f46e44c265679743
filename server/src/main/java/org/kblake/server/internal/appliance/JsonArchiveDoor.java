package org.kblake.server.internal.appliance;

import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.AnswerStream;
import org.kblake.server.internal.appliance.channel.ChannelChoice;
import org.kblake.server.internal.appliance.channel.ChannelFacts;
import org.kblake.server.internal.appliance.form.ArchiveJsonForm;
import org.kblake.server.internal.appliance.form.ChannelHeader;
import org.kblake.server.internal.appliance.form.JsonForm;
import org.kblake.server.internal.appliance.operator.Operators;
import org.kblake.server.internal.appliance.operator.SampleSource;
import org.kblake.server.internal.appliance.request.QueryParameters;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.request.RequestedChannel;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.Door;
import org.kblake.server.internal.http.HttpStatusException;

/** The protocol of the JSON archive server, which Phoebus speaks too. It has one archive. */
public final class JsonArchiveDoor implements Door {

  /** Phoebus adds {@code archive} to the URL, whether it ends with it or not. */
  private static final List<String> BASES = List.of("/archive", "/archive/archive");

  private static final String JSON = "application/json";
  private static final String KEY = "1";
  private static final int MAX_COUNT = 100_000;
  private static final long MAX_NANOS = Long.MAX_VALUE - 2;

  private final ServedArchive archive;

  public JsonArchiveDoor(ServedArchive archive) {
    this.archive = archive;
  }

  @Override
  public String name() {
    return "archive";
  }

  @Override
  public void addTo(RoutesConfig routes) {
    for (String base : BASES) {
      routes.get(base, this::archives);
      routes.get(base + "/{key}/channels-by-pattern/<pattern>", this::names);
      routes.get(base + "/{key}/samples/<name>", this::samples);
    }
  }

  private void archives(Context context) throws IOException {
    Answer.send(
        context,
        JSON,
        true,
        out -> {
          try (JsonGenerator json = JsonForm.generator(out)) {
            json.writeStartArray();
            json.writeStartObject();
            json.writeNumberField("key", Integer.parseInt(KEY));
            json.writeStringField("name", "kblake");
            json.writeStringField("description", "the archive that kblake serves");
            json.writeEndObject();
            json.writeEndArray();
          }
          return null;
        });
  }

  /** Returns the decoded rest of the path, which may have slashes. */
  private static String rest(Context context, String before) {
    if (!context.pathParam("key").equals(KEY)) {
      throw new HttpStatusException(404, "no such archive: the key of the only one is " + KEY);
    }
    String path = context.req().getRequestURI();
    return QueryParameters.decode(path.substring(path.indexOf(before) + before.length()), false);
  }

  private void names(Context context) throws IOException {
    String glob = rest(context, "/channels-by-pattern/");
    List<String> names =
        archive
            .channels()
            .namesMatching(
                NameRequests.namedOrMatching(archive, "pattern", glob), Integer.MAX_VALUE);
    Answer.send(
        context,
        JSON,
        true,
        out -> {
          NameRequests.writeNames(out, names);
          return null;
        });
  }

  private void samples(Context context) throws IOException {
    String name = rest(context, "/samples/");
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    RequestRange range =
        new RequestRange(
            number(parameters, "start", -MAX_NANOS, MAX_NANOS),
            number(parameters, "end", -MAX_NANOS, MAX_NANOS));
    int count =
        parameters.optional("count") == null ? 0 : (int) number(parameters, "count", 1, MAX_COUNT);
    List<ChannelInfo> candidates = archive.channels().require(RequestedChannel.names(name));
    if (DataRequests.isKept(context, archive, candidates, range)) {
      return;
    }
    ChannelInfo info = ChannelChoice.of(archive, candidates, range.fromNanos(), range.toNanos());
    boolean numbers =
        !info.waveform() && info.type() != ValueType.STRING && info.type() != ValueType.ENUM;
    Map<String, String> facts = ChannelFacts.of(archive.reader().metadata(info.channel()));
    SampleSource source =
        Operators.source(
            new SampleReader(archive, info.channel()), range, operator(count, numbers));
    long bytes = Operators.bytes(info, range, operator(count, numbers));
    ChannelHeader header = new ChannelHeader(info.channel().name(), facts, () -> null, 1);
    archive
        .answers()
        .with(
            bytes,
            () ->
                Answer.send(
                    context,
                    JSON,
                    true,
                    out -> {
                      DataRequests.noteLosses(out, archive, List.of(info.channel().group()), range);
                      return write(out, header, count > 0 && numbers, source);
                    }));
  }

  private static @Nullable String write(
      AnswerStream out, ChannelHeader header, boolean asNumbers, SampleSource source)
      throws IOException {
    ArchiveJsonForm form = new ArchiveJsonForm(out, asNumbers);
    FormSink sink = new FormSink(out, form, header);
    Missing missing = source.into(sink);
    if (!sink.hasBegun() && missing.isTemporary()) {
      throw new HttpStatusException(503, "the archive cannot be read now: " + missing.text());
    }
    out.note(missing.notes());
    String text = missing.isNothing() ? null : missing.text();
    form.end(text);
    return text;
  }

  /** Returns the operator that gives about as many samples as are wanted. */
  private static RequestedOperator operator(int count, boolean numbers) {
    if (count == 0) {
      return RequestedOperator.NONE;
    }
    return numbers
        ? new RequestedOperator(RequestedOperator.Kind.OPTIMIZED, false, count)
        : new RequestedOperator(RequestedOperator.Kind.FEW, false, count);
  }

  private static long number(QueryParameters parameters, String name, long least, long most) {
    String text = parameters.required(name);
    try {
      long number = Long.parseLong(text);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw HttpStatusException.wrong(
        name, "not a whole number from " + least + " to " + most + ": " + shortened(text));
  }

  private static @Nullable String shortened(String text) {
    return text.length() > 50 ? text.substring(0, 50) + "..." : text;
  }
}
