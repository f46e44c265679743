package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.Channel;
import org.kblake.format.OutputFormat;
import org.kblake.format.arrow.ArrowIpcWriter;
import org.kblake.format.text.EventLines;
import org.kblake.format.text.LineForm;
import org.kblake.format.time.TimeStyle;
import org.kblake.query.AnswerTransfer;
import org.kblake.query.EventCursor;
import org.kblake.query.EventReader;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.EventQuery;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.HeaderAnswer;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;
import org.kblake.server.internal.http.PublicText;

/**
 * The answer to {@code /api/v1/data}: events, as JSON, CSV or an Arrow IPC stream. It is written
 * while it is read. Its end tells whether it is complete.
 */
final class DataAnswer {

  /** The key of the mark at the end of an Arrow stream. */
  private static final String COMPLETE = "complete";

  private final ServedArchive archive;
  private final Parameters parameters;
  private final @Nullable EventQuery query;
  private final ServedConditions.@Nullable Found times;
  private final boolean safe;

  private DataAnswer(
      ServedArchive archive,
      Parameters parameters,
      @Nullable EventQuery query,
      ServedConditions.@Nullable Found times) {
    this.archive = archive;
    this.parameters = parameters;
    this.query = query == null || times == null ? query : times.within(query);
    this.times = times;
    this.safe = parameters.isSafe();
  }

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    boolean exact = ExactQuestion.isAsked(parameters);
    ServedConditions conditions = parameters.conditions();
    if (exact && !conditions.isEmpty()) {
      throw HttpStatusException.wrong("when", "it excludes select");
    }
    if (!exact && parameters.isKept(conditions, parameters.range(), 0)) {
      return;
    }
    String format = parameters.oneOf("format", List.of("json", "csv", "arrow"));
    EventQuery query = question(parameters, archive);
    String type =
        switch (format) {
          case "csv" -> "text/csv; charset=utf-8";
          case "arrow" -> "application/vnd.apache.arrow.stream";
          default -> "application/json";
        };
    if (HeaderAnswer.isWanted(context)) {
      readFirst(query, archive);
      HeaderAnswer.send(context, type);
      return;
    }
    ServedConditions.Found times =
        conditions.isEmpty() ? null : conditions.find(archive, parameters.range(), false);
    DataAnswer answer = new DataAnswer(archive, parameters, query, times);
    switch (format) {
      case "csv" -> Answer.send(context, type, true, answer::writeLines);
      case "arrow" -> Answer.send(context, type, false, answer::writeArrow);
      default -> Answer.send(context, type, true, answer::writeJson);
    }
  }

  /** Reads the first events, because an error of them is the status of the answer. */
  private static void readFirst(@Nullable EventQuery query, ServedArchive archive)
      throws IOException {
    if (query != null) {
      try (EventCursor cursor = archive.reader().cursor(query)) {
        cursor.next();
      }
    }
  }

  private static @Nullable EventQuery question(Parameters parameters, ServedArchive archive)
      throws IOException {
    if (ExactQuestion.isAsked(parameters)) {
      return ExactQuestion.of(parameters);
    }
    Selected selected = Selected.of(parameters, archive);
    return selected.isEmpty()
        ? null
        : EventQuery.of(selected.channels())
            .between(selected.range())
            .allowIncomplete()
            .withGroup();
  }

  private @Nullable String reason(CoverageReport coverage) {
    String missing = JsonCoverage.missing(coverage);
    return times == null ? missing : times.missing(missing);
  }

  /** Returns the notes on the times of the conditions, and on losses. */
  private Collection<String> notes(@Nullable CoverageReport withLosses) {
    return JsonCoverage.withSummary(
        times == null ? Set.of() : times.notes(),
        withLosses == null ? Losses.NONE : withLosses.losses());
  }

  private CoverageReport withLosses(CoverageReport coverage) throws IOException {
    return ServedConditions.withLosses(archive, coverage, times);
  }

  private @Nullable String writeLines(OutputStream out) throws IOException {
    ZoneId zone = archive.zone();
    EventLines lines =
        new EventLines(
            out, new LineForm(OutputFormat.CSV, TimeStyle.ISO, zone, true, false).withSafe(safe));
    String missing = null;
    CoverageReport coverage = null;
    if (query != null) {
      try (EventCursor cursor = archive.reader().cursor(query)) {
        List<Channel> channels = cursor.channels();
        while (cursor.next()) {
          lines.write(channels.get(cursor.channel()), cursor.columns(), cursor.from(), cursor.to());
        }
        coverage = withLosses(cursor.coverage());
        missing = reason(coverage);
      }
    }
    lines.finish();
    out.write((notes(notes(coverage)) + mark(missing)).getBytes(StandardCharsets.UTF_8));
    return missing;
  }

  /** Returns the metadata of the last batch. */
  static Map<String, String> mark(CoverageReport coverage, @Nullable String missing) {
    Map<String, String> mark = new LinkedHashMap<>(AnswerTransfer.end(coverage));
    mark.put(COMPLETE, missing == null ? "true" : missing);
    return mark;
  }

  /** Returns the lines of CSV for notes. */
  static String notes(Collection<String> notes) {
    StringBuilder lines = new StringBuilder();
    for (String note : notes) {
      lines.append("# note: ").append(PublicText.of(note).replaceAll("[\\r\\n]", " ")).append('\n');
    }
    return lines.toString();
  }

  /** Returns the last line of CSV. */
  static String mark(@Nullable String missing) {
    return missing == null
        ? "# complete\n"
        : "# incomplete: " + missing.replaceAll("[\\r\\n]", " ") + "\n";
  }

  private @Nullable String writeJson(OutputStream out) throws IOException {
    String[] missing = {null};
    try (JsonAnswer json =
        new JsonAnswer(out, parameters.hasNanos(), parameters.hasNonFiniteTexts())) {
      json.object(
          answer -> {
            CoverageReport[] coverage = {null};
            answer.name("events").array(events -> coverage[0] = writeEvents(events));
            missing[0] = coverage[0] == null ? null : reason(coverage[0]);
            JsonCoverage.writeNotes(answer, notes(coverage[0]));
            answer.name("missing");
            if (missing[0] == null) {
              answer.nothing();
            } else {
              answer.text(missing[0]);
            }
            answer.name(COMPLETE).bool(missing[0] == null);
          });
    }
    return missing[0];
  }

  private @Nullable CoverageReport writeEvents(JsonAnswer json) throws IOException {
    if (query == null) {
      return null;
    }
    try (EventCursor cursor = archive.reader().cursor(query)) {
      List<Channel> channels = cursor.channels();
      while (cursor.next()) {
        Channel channel = channels.get(cursor.channel());
        for (int i = cursor.from(); i < cursor.to(); i++) {
          int row = i;
          json.object(
              event -> {
                event.name("time").time(cursor.columns().timeNanos[row]);
                event.name("channel").text(channel.name());
                event.name("group").text(channel.group().toString());
                event.name("state").text(EventLists.state(cursor.columns().state[row]));
                event.name("severity").integer(cursor.columns().severity[row]);
                event.name("status").integer(Short.toUnsignedInt(cursor.columns().status[row]));
                event.name("value").value(cursor.columns(), row);
              });
        }
      }
      return withLosses(cursor.coverage());
    }
  }

  private @Nullable String writeArrow(OutputStream out) throws IOException {
    EventQuery events = query == null ? Selected.nothing(archive) : query;
    try (BufferAllocator memory = archive.memory("data");
        EventReader reader = archive.reader().read(events, memory)) {
      AnswerTransfer transfer = new AnswerTransfer(reader);
      try (ArrowIpcWriter writer =
          new ArrowIpcWriter(
              out, false, reader.fields(), reader.vectors(), reader, transfer.schema())) {
        while (reader.loadNextBatch()) {
          writer.write(transfer.batch());
        }
        CoverageReport coverage = withLosses(reader.coverage());
        String missing = reason(coverage);
        // kblake get makes the line on losses itself.
        List<String> notes =
            ExactQuestion.isAsked(parameters) ? List.of() : List.copyOf(notes(coverage));
        writer.writeMark(mark(coverage.withNotes(notes), missing), memory);
        writer.finish();
        return missing;
      }
    }
  }
}
