package org.kblake.cli.command.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;

/**
 * The coverage report as JSON. Times are in ISO 8601 with the archive's offset, and in nanoseconds.
 */
public final class CoverageJson {

  private final ZoneId zone;

  public CoverageJson(ZoneId zone) {
    this.zone = zone;
  }

  /** Writes a report. */
  public void write(CoverageReport report, OutputStream out) throws IOException {
    JsonGenerator json = new JsonFactory().createGenerator(out);
    json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
    json.useDefaultPrettyPrinter();
    json.writeStartObject();
    writeRange(json, report.range());
    json.writeBooleanField("complete", report.isComplete());
    json.writeNumberField("strays", report.strays());
    json.writeNumberField("backwardClockSteps", report.backwardSteps());
    json.writeArrayFieldStart("spans");
    for (CoverageSpan span : report.spans()) {
      writeSpan(json, span);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("notes");
    for (String note : report.notes()) {
      json.writeString(note);
    }
    json.writeEndArray();
    json.writeEndObject();
    json.flush();
    out.write("\n".getBytes(StandardCharsets.UTF_8));
  }

  private void writeSpan(JsonGenerator json, CoverageSpan span) throws IOException {
    json.writeStartObject();
    json.writeStringField("group", span.group().toString());
    json.writeStringField("kind", span.kind().text());
    writeRange(json, span.range());
    json.writeBooleanField("missing", span.missing());
    Path file = span.file();
    if (file != null) {
      json.writeStringField("file", file.toString());
      json.writeNumberField("bytes", span.bytes());
    }
    if (!span.detail().isEmpty()) {
      json.writeStringField("detail", span.detail());
    }
    if (!span.absent().isEmpty()) {
      json.writeArrayFieldStart("absent");
      for (String name : span.absent()) {
        json.writeString(name);
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  /** Writes a range. An open end is null. */
  private void writeRange(JsonGenerator json, TimeRange range) throws IOException {
    writeTime(json, "from", range.fromNanos() == Long.MIN_VALUE ? null : range.fromNanos());
    writeTime(json, "to", range.toNanos() == Long.MAX_VALUE ? null : range.toNanos());
  }

  private void writeTime(JsonGenerator json, String name, @Nullable Long nanos) throws IOException {
    if (nanos == null) {
      json.writeNullField(name);
      json.writeNullField(name + "Nanos");
    } else {
      json.writeStringField(name, iso(nanos, zone));
      json.writeNumberField(name + "Nanos", nanos);
    }
  }

  /** Formats an instant in ISO 8601 with the zone's offset. */
  public static String iso(long nanos, ZoneId zone) {
    return TimeArgument.text(nanos, zone);
  }
}
