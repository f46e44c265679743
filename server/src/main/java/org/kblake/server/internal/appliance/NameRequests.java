package org.kblake.server.internal.appliance;

import com.fasterxml.jackson.core.JsonGenerator;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.appliance.channel.ChannelFacts;
import org.kblake.server.internal.appliance.form.JsonForm;
import org.kblake.server.internal.appliance.request.QueryParameters;
import org.kblake.server.internal.appliance.request.RequestedChannel;
import org.kblake.server.internal.data.NamePattern;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/** Requests about the channels themselves: names that match, whether there is one, its facts. */
final class NameRequests {

  private static final String JSON = "application/json";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final int DEFAULT_LIMIT = 500;

  private final ServedArchive archive;

  NameRequests(ServedArchive archive) {
    this.archive = archive;
  }

  /** Answers {@code getMatchingPVs}. */
  void matching(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    String glob = parameters.optional("pv");
    String regex = parameters.optional("regex");
    int limit = limit(parameters.optional("limit"));
    NamePattern pattern;
    if (glob != null) {
      pattern = namedOrMatching(archive, "pv", glob);
    } else if (regex != null) {
      pattern = NamePattern.whole("regex", regex);
    } else {
      throw HttpStatusException.wrong("regex", "it is missing, and so is pv");
    }
    List<String> names =
        archive.channels().namesMatching(pattern, limit < 0 ? Integer.MAX_VALUE : limit);
    Answer.send(
        context,
        JSON,
        true,
        out -> {
          writeNames(out, names);
          return missing();
        });
  }

  /** Returns a test for a name that a channel has, or else for names that match. */
  static NamePattern namedOrMatching(ServedArchive archive, String parameter, String text)
      throws IOException {
    return archive.channels().isName(text)
        ? NamePattern.exactly(parameter, text)
        : NamePattern.plainGlob(parameter, text);
  }

  private @Nullable String missing() throws IOException {
    return archive.channels().isComplete()
        ? null
        : "the record tables of some files cannot be read";
  }

  /** Writes names as a JSON array. */
  static void writeNames(OutputStream out, List<String> names) throws IOException {
    try (JsonGenerator json = JsonForm.generator(out)) {
      json.writeStartArray();
      for (String name : names) {
        json.writeString(name);
      }
      json.writeEndArray();
    }
  }

  private static int limit(@Nullable String text) {
    if (text == null) {
      return DEFAULT_LIMIT;
    }
    try {
      int limit = Integer.parseInt(text);
      if (limit >= -1) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw HttpStatusException.wrong("limit", "not a number of names, or -1 for all");
  }

  /** Answers {@code searchForPVsRegex}. */
  void search(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    NamePattern pattern = NamePattern.whole("regex", parameters.required("regex"));
    List<String> names = archive.channels().namesMatching(pattern, Integer.MAX_VALUE);
    Answer.send(
        context,
        TEXT,
        true,
        out -> {
          for (String name : names) {
            out.write((name + "\n").getBytes(StandardCharsets.UTF_8));
          }
          return missing();
        });
  }

  /** Answers {@code areWeArchivingPV}. */
  void archiving(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    String[] names = RequestedChannel.names(parameters.required("pv"));
    boolean found = !archive.channels().named(names).isEmpty();
    context.contentType(JSON).result("{\"status\":\"" + found + "\"}");
  }

  /** Answers {@code getMetadata}. */
  void metadata(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    String[] names = RequestedChannel.names(parameters.required("pv"));
    List<ChannelInfo> found = archive.channels().require(names);
    ChannelInfo info = found.get(found.size() - 1);
    Answer.send(
        context,
        JSON,
        true,
        out -> {
          try (JsonGenerator json = JsonForm.generator(out)) {
            json.writeStartObject();
            json.writeStringField("pvName", info.channel().name());
            json.writeStringField("DBRType", type(info));
            json.writeStringField("elementCount", Integer.toString(info.elementCount()));
            json.writeStringField("scalar", Boolean.toString(!info.waveform()));
            json.writeStringField("group", info.channel().group().toString());
            for (Map.Entry<String, String> fact :
                ChannelFacts.of(archive.reader().metadata(info.channel())).entrySet()) {
              json.writeStringField(fact.getKey(), fact.getValue());
            }
            json.writeEndObject();
          }
          return null;
        });
  }

  /** Returns the type as the Archiver Appliance names it. */
  private static String type(ChannelInfo info) {
    String element =
        switch (info.type()) {
          case STRING -> "STRING";
          case SHORT -> "SHORT";
          case FLOAT -> "FLOAT";
          case ENUM -> "ENUM";
          case CHAR -> "BYTE";
          case LONG -> "INT";
          case DOUBLE -> "DOUBLE";
        };
    return String.format(
        Locale.ROOT, "DBR_%s_%s", info.waveform() ? "WAVEFORM" : "SCALAR", element);
  }
}
