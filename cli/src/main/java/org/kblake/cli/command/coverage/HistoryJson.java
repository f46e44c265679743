package org.kblake.cli.command.coverage;

import java.io.IOException;
import java.io.OutputStream;
import java.time.ZoneId;
import org.kblake.cli.command.answer.CoverageJson;
import org.kblake.cli.command.shared.JsonText;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;

/** The states of groups as JSON. Times are in ISO 8601 and in nanoseconds. */
final class HistoryJson {

  private final JsonText json;
  private final ZoneId zone;

  private HistoryJson(JsonText json, ZoneId zone) {
    this.json = json;
    this.zone = zone;
  }

  /**
   * Writes histories.
   *
   * @param out the destination, which is flushed, and not closed
   */
  static void write(Histories histories, OutputStream out) throws IOException {
    JsonText.write(out, json -> new HistoryJson(json, histories.zone()).write(histories));
  }

  private void write(Histories histories) throws IOException {
    writeRange(histories.range());
    json.objects("groups", histories.groups(), group -> write(histories.of(group)));
    if (histories.losses().hasLedger()) {
      CoverageJson.writeLossy(json, histories.losses(), zone);
    }
  }

  private void write(GroupHistory group) throws IOException {
    double share = group.columnsShare();
    json.field("group", group.group().toString());
    json.field("columnsShare", Double.isNaN(share) ? null : Double.valueOf(share));
    json.object(
        "seconds",
        () -> {
          for (LogState state : LogState.values()) {
            json.field(state.text(), group.nanos(state) * 1e-9);
          }
        });
    json.objects(
        "spans",
        group.spans(),
        span -> {
          json.field("state", span.state().text());
          writeRange(span.range());
        });
    json.texts("problems", group.problems());
  }

  private void writeRange(TimeRange range) throws IOException {
    writeTime("from", range.fromNanos());
    writeTime("to", range.toNanos());
  }

  private void writeTime(String name, long nanos) throws IOException {
    json.field(name, TimeArgument.text(nanos, zone));
    json.field(name + "Nanos", nanos);
  }
}
