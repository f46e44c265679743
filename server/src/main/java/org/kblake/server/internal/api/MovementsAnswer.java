package org.kblake.server.internal.api;

import io.javalin.http.Context;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.Movement;
import org.kblake.query.answer.Movements;
import org.kblake.query.question.MovedQuery;
import org.kblake.server.internal.answer.HeaderAnswer;
import org.kblake.server.internal.answer.KeptAnswer;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The answer to {@code /api/v1/moved}: the channels that left their own habit around an instant. It
 * is computed before it is written, so that its begin tells whether it is complete.
 */
final class MovementsAnswer {

  private static final double NANOS_PER_SECOND = 1e9;

  private MovementsAnswer() {}

  /** Answers a request. */
  static void send(Context context, Parameters parameters, ServedArchive archive)
      throws IOException {
    MovedQuery query = query(parameters, archive);
    if (HeaderAnswer.isWanted(context)) {
      archive.reader().channels(query.channels(), query.window());
      HeaderAnswer.send(context, "application/json");
      return;
    }
    archive
        .answers()
        .with(
            2 * parameters.valueBytes(query.channels()),
            () -> send(context, parameters, archive, query));
  }

  private static void send(
      Context context, Parameters parameters, ServedArchive archive, MovedQuery query)
      throws IOException {
    Movements movements = archive.reader().moved(query);
    CoverageReport coverage = archive.reader().withLosses(movements.coverage());
    KeptAnswer.addCompleteness(context, coverage.isComplete());
    JsonAnswer.send(context, parameters, json -> write(query, movements.all(), coverage, json));
  }

  private static MovedQuery query(Parameters parameters, ServedArchive archive) throws IOException {
    parameters.requireInstant("at");
    try {
      MovedQuery usual =
          MovedQuery.of(parameters.selection(), Instant.ofEpochSecond(0, parameters.begin("at")));
      return usual
          .lookBack(archive.lookBack())
          .allowIncomplete()
          .window(
              Duration.ofNanos(parameters.duration("before", usual.beforeNanos())),
              Duration.ofNanos(parameters.duration("after", usual.afterNanos())))
          .baseline(Duration.ofNanos(parameters.duration("baseline", usual.baselineNanos())));
    } catch (IllegalArgumentException e) {
      throw new HttpStatusException(400, String.valueOf(e.getMessage()));
    }
  }

  private static void write(
      MovedQuery query, List<Movement> movements, CoverageReport coverage, JsonAnswer json)
      throws IOException {
    json.name("at").time(query.atNanos());
    json.name("from").time(query.window().fromNanos());
    json.name("to").time(query.window().toNanos());
    json.name("channels")
        .array(
            rows -> {
              for (Movement each : movements) {
                rows.object(row -> write(query, each, row));
              }
            });
    json.name("coverage").array(out -> JsonCoverage.write(out, coverage));
    JsonCoverage.writeLossy(json, coverage.losses());
    JsonCoverage.writeEnd(json, coverage);
  }

  private static void write(MovedQuery query, Movement movement, JsonAnswer json)
      throws IOException {
    json.name("name").text(movement.channel().name());
    json.name("group").text(movement.channel().group().toString());
    json.name("onset").time(movement.onsetNanos());
    json.name("seconds").number((movement.onsetNanos() - query.atNanos()) / NANOS_PER_SECOND);
    json.name("measure").text(movement.measure().text());
    json.name("z");
    if (Double.isInfinite(movement.z())) {
      json.nothing();
    } else {
      json.number(movement.z());
    }
    json.name("before").text(movement.before());
    json.name("after").text(movement.after());
  }
}
