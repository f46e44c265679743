package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.AnswerTransfer;
import org.kblake.query.answer.Intervals;
import org.kblake.query.question.IntervalQuery;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.HeaderAnswer;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The answer to {@code /api/v1/when}: the intervals in which conditions are met. It is computed
 * before it is written, so that its begin tells whether it is complete.
 */
final class WhenAnswer {

  private static final String CONDITION = "condition";
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String CSV = "text/csv; charset=utf-8";

  /** A fourth of the memory of a server with 512 MiB, for a million intervals. */
  private static final long BYTES = 32L << 20;

  private static final double NANOS_PER_SECOND = 1e9;

  private WhenAnswer() {}

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    archive.answers().with(BYTES, () -> answer(context, parameters, archive));
  }

  private static void answer(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    String format = parameters.oneOf("format", List.of("json", "csv", "text"));
    if (format.equals("text")) {
      IntervalQuery query = ExactQuestion.intervals(parameters);
      if (HeaderAnswer.isWanted(context)) {
        archive.reader().channels(query.channels(), query.range());
        HeaderAnswer.send(context, TEXT);
        return;
      }
      Intervals intervals =
          archive
              .reader()
              .withLosses(ServedConditions.intervals("select", archive, query), query.range());
      Answer.send(
          context,
          TEXT,
          true,
          out -> {
            Writer lines = writer(out);
            AnswerTransfer.writeText(intervals, lines);
            lines.flush();
            return JsonCoverage.missing(intervals.coverage());
          });
      return;
    }
    ServedConditions conditions =
        ServedConditions.of(CONDITION, parameters.texts(CONDITION), parameters.groups(), archive);
    if (conditions.isEmpty()) {
      throw HttpStatusException.wrong(CONDITION, "it is missing; write 'CHANNEL > 500 for 10s'");
    }
    boolean any = "true".equals(parameters.oneOf("any", List.of("false", "true")));
    TimeRange range = parameters.range();
    if (parameters.isKept(
        conditions.channels(), conditions.read(range), archive.lookBack().toNanos())) {
      return;
    }
    if (HeaderAnswer.isWanted(context)) {
      HeaderAnswer.send(context, format.equals("csv") ? CSV : "application/json");
      return;
    }
    ServedConditions.Found found = conditions.find(archive, range, any);
    if (format.equals("csv")) {
      Answer.send(context, CSV, true, out -> writeLines(found, out, archive.zone()));
    } else {
      KeptAnswer.addCompleteness(context, found.missing() == null);
      JsonAnswer.send(context, parameters, json -> write(found, range, json));
    }
  }

  private static void write(ServedConditions.Found found, TimeRange range, JsonAnswer json)
      throws IOException {
    json.name("from").time(range.fromNanos());
    json.name("to").time(range.toNanos());
    json.name("intervals").object(out -> write(out, found.met()));
    json.name("known").object(out -> write(out, found.known()));
    json.name("coverage").array(out -> JsonCoverage.write(out, found.coverage()));
    JsonCoverage.writeNotes(json, JsonCoverage.withSummary(found.notes(), found.losses()));
    json.name("missing");
    if (found.missing() == null) {
      json.nothing();
    } else {
      json.text(found.missing());
    }
    json.name("complete").bool(found.missing() == null);
  }

  private static void write(JsonAnswer json, TimeMask mask) throws IOException {
    json.name("from")
        .array(
            out -> {
              for (TimeRange each : mask.ranges()) {
                out.time(each.fromNanos());
              }
            });
    json.name("to")
        .array(
            out -> {
              for (TimeRange each : mask.ranges()) {
                out.time(each.toNanos());
              }
            });
  }

  private static Writer writer(OutputStream out) {
    return new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
  }

  private static @Nullable String writeLines(
      ServedConditions.Found found, OutputStream out, ZoneId zone) throws IOException {
    Writer lines = writer(out);
    lines.append("from,to,seconds\n");
    for (TimeRange each : found.met().ranges()) {
      lines.append(TimeArgument.text(each.fromNanos(), zone)).append(',');
      lines.append(TimeArgument.text(each.toNanos(), zone)).append(',');
      lines.append(Double.toString((each.toNanos() - each.fromNanos()) / NANOS_PER_SECOND));
      lines.append('\n');
    }
    lines.append(DataAnswer.notes(JsonCoverage.withSummary(found.notes(), found.losses())));
    lines.append(DataAnswer.mark(found.missing()));
    lines.flush();
    return found.missing();
  }
}
