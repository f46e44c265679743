package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.JsonText;
import org.kblake.cli.command.shared.LastVerify;

/**
 * Writes the status as JSON. Times are in ISO 8601 with the archive's offset, sizes in bytes, age
 * and lag in seconds.
 */
final class StatusJson {

  private final StatusReport report;
  private final ZoneId zone;
  private final JsonText json;

  private StatusJson(StatusReport report, JsonText json) {
    this.report = report;
    this.zone = report.settings().outZone();
    this.json = json;
  }

  static void write(StatusReport report, Writer out) throws IOException {
    JsonText.write(out, json -> new StatusJson(report, json).write());
  }

  private void write() throws IOException {
    json.field("archive", report.settings().archive().toString());
    json.field("store", report.store());
    json.field("zone", report.settings().zoneName());
    json.objects("groups", report.shown(), this::writeGroup);
    json.object("total", this::writeTotal);
    report.process().write(json);
    LastVerify verified = report.verified();
    if (verified == null) {
      json.field("lastVerify", null);
    } else {
      json.object(
          "lastVerify",
          () -> {
            json.field("date", verified.date().toString());
            json.field("blocks", verified.blocks());
            json.field("wrong", verified.wrong());
          });
    }
    if (report.whatIf() != null) {
      report.whatIf().writeJson(json, zone);
    }
    json.texts("problems", report.problems());
  }

  private void writeTotal() throws IOException {
    json.field("pairs", report.sum(GroupStatus::pairs));
    json.field("rawBytes", report.sum(GroupStatus::rawBytes));
    json.field("coveredBytes", report.sum(GroupStatus::coveredBytes));
    json.field("coverage", report.coverage());
    json.field("blocks", report.sum(GroupStatus::blocks));
    json.field("storedBytes", report.sum(GroupStatus::storedBytes));
    json.field("storedEvents", report.sum(GroupStatus::storedEvents));
    json.field("rawBytesPerDay", report.rawBytesPerDay());
  }

  private void writeGroup(GroupRow row) throws IOException {
    GroupStatus group = row.status();
    Long lag = group.lagNanos();
    json.field("group", group.group().toString());
    json.field("away", group.away());
    json.field("pairs", group.pairs());
    json.field("from", isoTime(group.firstNanos()));
    json.field("newestEvent", isoTime(group.newestNanos()));
    json.field("newestEventAgeSeconds", row.ageSeconds());
    json.field("newestEventInColumns", isoTime(group.columnsNanos()));
    json.field("lagSeconds", lag == null ? null : Double.valueOf(lag / 1e9));
    json.field("rawBytes", group.rawBytes());
    json.field("coveredBytes", group.coveredBytes());
    json.field("onlyInColumnsBytes", group.missingBytes());
    json.field("coverage", group.coverage());
    json.field("blocks", group.blocks());
    json.field("storedBytes", group.storedBytes());
    json.field("storedEvents", group.storedEvents());
    json.field("rawBytesPerDay", Math.round(group.rawBytesPerDay()));
    json.field("storedBytesPerDay", Math.round(group.storedBytesPerDay()));
    json.texts("problems", group.problems());
  }

  private @Nullable String isoTime(@Nullable Long nanos) {
    return nanos == null
        ? null
        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
            Instant.ofEpochSecond(0, nanos).atZone(zone));
  }
}
