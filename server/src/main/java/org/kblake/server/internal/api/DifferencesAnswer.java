package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import org.kblake.core.model.TimeRange;
import org.kblake.query.Differences;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Difference;
import org.kblake.query.answer.Losses;
import org.kblake.query.question.ChannelSelection;
import org.kblake.server.internal.answer.HeaderAnswer;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.ServedArchive;

/** The answer to {@code /api/v1/diff}: the channels that differ between two instants. */
final class DifferencesAnswer {

  private DifferencesAnswer() {}

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    parameters.requireInstant("at");
    parameters.requireInstant("and");
    ChannelSelection selection = parameters.selection();
    archive
        .answers()
        .with(
            2 * parameters.valueBytes(selection),
            () -> send(context, parameters, archive, selection));
  }

  private static void send(
      Context context, Parameters parameters, ServedArchive archive, ChannelSelection selection)
      throws IOException {
    long at = parameters.instant("at");
    long and = parameters.instant("and");
    if (HeaderAnswer.isWanted(context)) {
      archive.reader().channels(parameters.selection(), new TimeRange(at, at + 1));
      HeaderAnswer.send(context, "application/json");
      return;
    }
    Differences differences =
        Differences.of(archive.reader(), archive.heldQuery(selection, at), and);
    CoverageReport coverage =
        both(differences, new TimeRange(Math.min(at, and), Math.max(at, and)));
    Losses losses =
        archive.reader().losses(selection, at).and(archive.reader().losses(selection, and));
    KeptAnswer.addCompleteness(context, coverage.isComplete());
    JsonAnswer.send(
        context,
        parameters,
        json -> {
          json.name("at").time(at);
          json.name("and").time(and);
          json.name("channels").array(rows -> write(differences, rows));
          JsonCoverage.writeEnd(json, coverage.with(losses));
        });
  }

  private static CoverageReport both(Differences differences, TimeRange range) {
    CoverageReport before = differences.before();
    return new CoverageReport(range, before.spans(), 0, 0, before.notes())
        .withMissing(differences.after().missing())
        .withNotes(differences.after().notes());
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
