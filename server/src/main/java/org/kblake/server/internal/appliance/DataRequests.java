package org.kblake.server.internal.appliance;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.AnswerStream;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.appliance.channel.ChannelChoice;
import org.kblake.server.internal.appliance.channel.ChannelFacts;
import org.kblake.server.internal.appliance.form.AnswerForm;
import org.kblake.server.internal.appliance.form.ChannelHeader;
import org.kblake.server.internal.appliance.form.JsonForm;
import org.kblake.server.internal.appliance.form.RawForm;
import org.kblake.server.internal.appliance.form.SampleLines;
import org.kblake.server.internal.appliance.form.SvgForm;
import org.kblake.server.internal.appliance.operator.Operators;
import org.kblake.server.internal.appliance.operator.SampleSource;
import org.kblake.server.internal.appliance.request.QueryParameters;
import org.kblake.server.internal.appliance.request.RequestRange;
import org.kblake.server.internal.appliance.request.RequestedChannel;
import org.kblake.server.internal.appliance.request.RequestedNames;
import org.kblake.server.internal.appliance.request.RequestedOperator;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/** {@code getData} and {@code getDataForPVs}: the samples of one or several channels in a range. */
final class DataRequests {

  /** A name with this suffix of a path asks for one of these forms. */
  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "raw", "application/x-protobuf",
          "json", "application/json",
          "qw", "application/json",
          "csv", "text/csv",
          "txt", "text/plain",
          "svg", "image/svg+xml");

  private static final List<String> FORMS_OF_SEVERAL = List.of("json", "raw", "qw");

  private final ServedArchive archive;

  DataRequests(ServedArchive archive) {
    this.archive = archive;
  }

  /** Answers {@code getData.EXTENSION}. */
  void one(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    String extension = extension(context, List.copyOf(CONTENT_TYPES.keySet()));
    List<String> names = List.of(parameters.required("pv"));
    answerUnlessKept(context, parameters, extension, names);
  }

  /** Answers {@code getDataForPVs.EXTENSION} of a GET request. */
  void several(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    String extension = extension(context, FORMS_OF_SEVERAL);
    List<String> names = RequestedNames.requireFew(parameters.all("pv"));
    if (names.isEmpty()) {
      throw HttpStatusException.wrong("pv", "it is missing");
    }
    answerUnlessKept(context, parameters, extension, names);
  }

  /** Answers {@code getDataForPVs.EXTENSION} of a POST request, whose body has the names. */
  void posted(Context context) throws IOException {
    QueryParameters parameters = QueryParameters.parse(context.req().getQueryString());
    String extension = extension(context, FORMS_OF_SEVERAL);
    List<String> names =
        RequestedNames.read(
            context.req().getInputStream(),
            context.req().getContentType(),
            archive.channels().isRecorded());
    answer(context, parameters, extension, names);
  }

  private static String extension(Context context, List<String> known) {
    String extension = context.pathParam("extension");
    if (!known.contains(extension)) {
      throw new HttpStatusException(
          400,
          "unknown form: "
              + extension
              + "; the forms are "
              + String.join(", ", known.stream().sorted().toList()));
    }
    return extension;
  }

  private void answerUnlessKept(
      Context context, QueryParameters parameters, String extension, List<String> names)
      throws IOException {
    RequestRange range = RequestRange.of(parameters, archive.now());
    List<ChannelInfo> candidates = new ArrayList<>();
    for (String name : names) {
      candidates.addAll(archive.channels().require(parse(name).names()));
    }
    if (!isKept(context, archive, candidates, range)) {
      answer(context, parameters, extension, names);
    }
  }

  private RequestedChannel parse(String text) throws IOException {
    return RequestedChannel.parse(text, archive.channels().isRecorded());
  }

  /** Returns whether the client has the answer about one of some channels. */
  static boolean isKept(
      Context context, ServedArchive archive, List<ChannelInfo> candidates, RequestRange range)
      throws IOException {
    return KeptAnswer.isCurrent(
        context,
        archive,
        candidates,
        new TimeRange(range.fromNanos(), range.toNanos() + 1),
        archive.lookBack().toNanos());
  }

  /**
   * The samples of a channel.
   *
   * @param bytes about the bytes that the source keeps
   */
  private record Asked(Group group, ChannelHeader header, SampleSource source, long bytes) {}

  private void answer(
      Context context, QueryParameters parameters, String extension, List<String> names)
      throws IOException {
    RequestRange range = RequestRange.of(parameters, archive.now());
    boolean nonFiniteAsText = nonFiniteAsText(parameters);
    List<Asked> asked = new ArrayList<>();
    for (String name : names) {
      asked.add(asked(parse(name), parameters, range, extension, names.size() > 1));
    }
    String type = CONTENT_TYPES.getOrDefault(extension, "text/plain");
    long bytes = asked.stream().mapToLong(Asked::bytes).max().orElse(0);
    // Clients of raw read the bytes as they come.
    archive
        .answers()
        .with(
            bytes,
            () ->
                Answer.send(
                    context,
                    type,
                    !extension.equals("raw"),
                    out -> {
                      noteLosses(out, archive, asked.stream().map(Asked::group).toList(), range);
                      return write(out, form(extension, out, range, nonFiniteAsText), asked);
                    }));
  }

  /** Adds what recorders may have lost to the header of an answer that has not begun. */
  static void noteLosses(
      AnswerStream out, ServedArchive archive, List<Group> groups, RequestRange range)
      throws IOException {
    TimeRange asked = new TimeRange(range.fromNanos(), range.toNanos() + 1);
    out.note(archive.reader().losses(groups, asked).lines());
  }

  private static boolean nonFiniteAsText(QueryParameters parameters) {
    String text = parameters.optional("nonfinite");
    if (text != null && !text.equals("string") && !text.equals("null")) {
      throw HttpStatusException.wrong("nonfinite", "it is neither string nor null");
    }
    return "string".equals(text);
  }

  private Asked asked(
      RequestedChannel of,
      QueryParameters parameters,
      RequestRange range,
      String extension,
      boolean isOneOfSeveral)
      throws IOException {
    RequestedOperator operator = of.operator();
    String separate = parameters.optional("pp");
    if (operator.kind() == RequestedOperator.Kind.RAW && separate != null) {
      operator = RequestedOperator.parse(separate);
    }
    ChannelInfo info =
        ChannelChoice.of(
            archive, archive.channels().require(of.names()), range.fromNanos(), range.toNanos());
    SampleReader reader = new SampleReader(archive, info.channel());
    if (isOneOfSeveral) {
      Operators.requireNumbers(reader, range, operator);
    }
    return new Asked(
        info.channel().group(),
        new ChannelHeader(
            info.channel().name(),
            ChannelFacts.of(archive.reader().metadata(info.channel())),
            hasOneType(extension, operator, range)
                ? () -> null
                : () -> reader.type(range.fromNanos(), range.toNanos()),
            info.elementCount()),
        Operators.source(reader, range, operator),
        Operators.bytes(info, range, operator));
  }

  /** Returns whether the samples of an answer have one type, or each may have its own. */
  private static boolean hasOneType(
      String extension, RequestedOperator operator, RequestRange range) {
    RequestedOperator.Origin origin = operator.kind().origin();
    return !extension.equals("raw")
        || range.fromNanos() == range.toNanos()
        || origin == RequestedOperator.Origin.FIGURES
        || origin == RequestedOperator.Origin.NUMBER;
  }

  private static AnswerForm form(
      String extension, OutputStream out, RequestRange range, boolean nonFiniteAsText)
      throws IOException {
    return switch (extension) {
      case "raw" -> new RawForm(out);
      case "json" -> new JsonForm(out, false, nonFiniteAsText);
      case "qw" -> new JsonForm(out, true, nonFiniteAsText);
      case "csv" -> new SampleLines(out, true);
      case "svg" -> new SvgForm(out, range.fromNanos(), range.toNanos());
      default -> new SampleLines(out, false);
    };
  }

  private static @Nullable String write(AnswerStream out, AnswerForm form, List<Asked> asked)
      throws IOException {
    Missing missing = Missing.NOTHING;
    boolean empty = true;
    for (Asked each : asked) {
      FormSink sink = new FormSink(out, form, each.header());
      missing = missing.and(each.source().into(sink));
      empty &= !sink.hasBegun();
    }
    if (empty && missing.isTemporary()) {
      throw new HttpStatusException(503, "the archive cannot be read now: " + missing.text());
    }
    out.note(missing.notes());
    String text = missing.isNothing() ? null : missing.text();
    form.end(text);
    return text;
  }
}
