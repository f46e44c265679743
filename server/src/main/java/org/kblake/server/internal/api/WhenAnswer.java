package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.AnswerTransfer;
import org.kblake.query.answer.Intervals;
import org.kblake.query.question.HeldQuery;
import org.kblake.server.internal.answer.Answer;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.RequestException;

/**
 * The answer to {@code /api/v1/when}: the intervals in which conditions are met. It is computed
 * before it is written, so that its begin tells whether it is complete.
 */
final class WhenAnswer {

  private static final String CONDITION = "condition";
  private static final double NANOS_PER_SECOND = 1e9;

  private WhenAnswer() {}

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    String format = parameters.oneOf("format", List.of("json", "csv", "text"));
    if (format.equals("text")) {
      Intervals intervals =
          ServedConditions.intervals("select", archive, ExactQuestion.intervals(parameters));
      KeptAnswer.addCompleteness(context, intervals.coverage().isComplete());
      context.contentType("text/plain; charset=utf-8").result(AnswerTransfer.text(intervals));
      return;
    }
    ServedConditions conditions =
        ServedConditions.of(CONDITION, parameters.texts(CONDITION), parameters.groups(), archive);
    if (conditions.isEmpty()) {
      throw RequestException.wrong(CONDITION, "it is missing; write 'CHANNEL > 500 for 10s'");
    }
    boolean any = "true".equals(parameters.oneOf("any", List.of("false", "true")));
    TimeRange range = parameters.range();
    if (parameters.isKept(
        conditions.channels(), conditions.read(range), HeldQuery.DEFAULT_LOOK_BACK.toNanos())) {
      return;
    }
    ServedConditions.Found found = conditions.find(archive, range, any);
    if (format.equals("csv")) {
      Answer.send(
          context, "text/csv; charset=utf-8", true, out -> writeLines(found, out, archive.zone()));
    } else {
      KeptAnswer.addCompleteness(context, found.missing() == null);
      context
          .contentType("application/json")
          .result(JsonAnswer.bytes(parameters, json -> write(found, range, json)));
    }
  }

  private static void write(ServedConditions.Found found, TimeRange range, JsonAnswer json)
      throws IOException {
    json.name("from").time(range.fromNanos());
    json.name("to").time(range.toNanos());
    json.name("intervals").object(out -> write(out, found.met()));
    json.name("known").object(out -> write(out, found.known()));
    json.name("coverage").array(out -> CoverageText.write(out, found.coverage()));
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

  private static @Nullable String writeLines(
      ServedConditions.Found found, OutputStream out, ZoneId zone) throws IOException {
    StringBuilder lines = new StringBuilder("from,to,seconds\n");
    for (TimeRange each : found.met().ranges()) {
      lines.append(TimeArgument.text(each.fromNanos(), zone)).append(',');
      lines.append(TimeArgument.text(each.toNanos(), zone)).append(',');
      lines.append((each.toNanos() - each.fromNanos()) / NANOS_PER_SECOND).append('\n');
    }
    lines.append(DataAnswer.mark(found.missing()));
    out.write(lines.toString().getBytes(StandardCharsets.UTF_8));
    return found.missing();
  }
}
