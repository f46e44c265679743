package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import org.kblake.core.model.TimeRange;
import org.kblake.query.Differences;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Difference;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.ChannelQuestions;
import org.kblake.server.internal.data.ServedArchive;

/** The answer to {@code /api/v1/diff}: the channels that differ between two instants. */
final class DifferencesAnswer {

  private DifferencesAnswer() {}

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    parameters.requireInstant("at");
    parameters.requireInstant("and");
    long at = parameters.instant("at");
    long and = parameters.instant("and");
    Differences differences =
        Differences.of(archive.reader(), ChannelQuestions.held(parameters.selection(), at), and);
    CoverageReport coverage =
        both(differences, new TimeRange(Math.min(at, and), Math.max(at, and)));
    KeptAnswer.addCompleteness(context, coverage.isComplete());
    context
        .contentType("application/json")
        .result(
            JsonAnswer.bytes(
                parameters,
                json -> {
                  json.name("at").time(at);
                  json.name("and").time(and);
                  json.name("channels").array(rows -> write(differences, rows));
                  CoverageText.writeEnd(json, coverage);
                }));
  }

  private static CoverageReport both(Differences differences, TimeRange range) {
    CoverageReport before = differences.before();
    return new CoverageReport(range, before.spans(), 0, 0, before.notes())
        .withMissing(differences.after().missing());
  }

  private static void write(Differences differences, JsonAnswer json) throws IOException {
    for (Difference each : differences.all()) {
      json.object(
          row -> {
            row.name("name").text(each.channel().name());
            row.name("group").text(each.channel().group().toString());
            row.name("kind").text(each.kind().text());
            row.name("size");
            if (Double.isNaN(each.size())) {
              row.nothing();
            } else {
              row.number(each.size());
            }
            row.name("before").text(each.before());
            row.name("after").text(each.after());
          });
    }
  }
}
