package org.kblake.cli.command.status;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.LastVerify;

/**
 * Writes the status as JSON. Times are in ISO 8601 with the archive's offset, sizes in bytes, age
 * and lag in seconds.
 */
final class StatusJson {

  private final StatusReport report;
  private final ZoneId zone;
  private final JsonGenerator json;

  private StatusJson(StatusReport report, JsonGenerator json) {
    this.report = report;
    this.zone = report.settings().outZone();
    this.json = json;
  }

  static void write(StatusReport report, Writer out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    new StatusJson(report, json).write();
    json.flush();
    out.append('\n');
  }

  private void write() throws IOException {
    json.writeStartObject();
    json.writeStringField("archive", report.settings().archive().toString());
    json.writeStringField("store", report.store());
    json.writeStringField("zone", report.settings().zoneName());
    json.writeArrayFieldStart("groups");
    for (GroupRow row : report.shown()) {
      writeGroup(row);
    }
    json.writeEndArray();
    json.writeObjectFieldStart("total");
    json.writeNumberField("pairs", report.sum(GroupStatus::pairs));
    json.writeNumberField("rawBytes", report.sum(GroupStatus::rawBytes));
    json.writeNumberField("coveredBytes", report.sum(GroupStatus::coveredBytes));
    writeNumber("coverage", report.coverage());
    json.writeNumberField("blocks", report.sum(GroupStatus::blocks));
    json.writeNumberField("storedBytes", report.sum(GroupStatus::storedBytes));
    json.writeNumberField("storedEvents", report.sum(GroupStatus::storedEvents));
    json.writeNumberField("rawBytesPerDay", report.rawBytesPerDay());
    json.writeEndObject();
    report.process().write(json);
    LastVerify verified = report.verified();
    json.writeFieldName("lastVerify");
    if (verified == null) {
      json.writeNull();
    } else {
      json.writeStartObject();
      json.writeStringField("date", verified.date().toString());
      json.writeNumberField("blocks", verified.blocks());
      json.writeNumberField("wrong", verified.wrong());
      json.writeEndObject();
    }
    if (report.whatIf() != null) {
      report.whatIf().writeJson(json, zone);
    }
    writeProblems(report.problems());
    json.writeEndObject();
  }

  private void writeGroup(GroupRow row) throws IOException {
    GroupStatus group = row.status();
    Long lag = group.lagNanos();
    json.writeStartObject();
    json.writeStringField("group", group.group().toString());
    json.writeBooleanField("away", group.away());
    json.writeNumberField("pairs", group.pairs());
    json.writeStringField("from", isoTime(group.firstNanos()));
    json.writeStringField("newestEvent", isoTime(group.newestNanos()));
    writeNumber("newestEventAgeSeconds", row.ageSeconds());
    json.writeStringField("newestEventInColumns", isoTime(group.columnsNanos()));
    writeNumber("lagSeconds", lag == null ? null : Double.valueOf(lag / 1e9));
    json.writeNumberField("rawBytes", group.rawBytes());
    json.writeNumberField("coveredBytes", group.coveredBytes());
    json.writeNumberField("onlyInColumnsBytes", group.missingBytes());
    writeNumber("coverage", group.coverage());
    json.writeNumberField("blocks", group.blocks());
    json.writeNumberField("storedBytes", group.storedBytes());
    json.writeNumberField("storedEvents", group.storedEvents());
    json.writeNumberField("rawBytesPerDay", Math.round(group.rawBytesPerDay()));
    json.writeNumberField("storedBytesPerDay", Math.round(group.storedBytesPerDay()));
    writeProblems(group.problems());
    json.writeEndObject();
  }

  private void writeNumber(String name, @Nullable Number number) throws IOException {
    json.writeFieldName(name);
    if (number == null) {
      json.writeNull();
    } else if (number instanceof Long whole) {
      json.writeNumber(whole);
    } else {
      json.writeNumber(number.doubleValue());
    }
  }

  private void writeProblems(List<String> problems) throws IOException {
    json.writeArrayFieldStart("problems");
    for (String problem : problems) {
      json.writeString(problem);
    }
    json.writeEndArray();
  }

  private @Nullable String isoTime(@Nullable Long nanos) {
    return nanos == null
        ? null
        : DateTimeFormatter.ISO_OFFSET_DATE_TIME.format(
            Instant.ofEpochSecond(0, nanos).atZone(zone));
  }
}
