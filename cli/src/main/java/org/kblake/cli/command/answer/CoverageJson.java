package org.kblake.cli.command.answer;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.JsonText;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.Losses;

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
    JsonText.write(
        out,
        json -> {
          writeRange(json, report.range(), zone);
          json.field("complete", report.isComplete());
          json.field("strays", report.strays());
          json.field("backwardClockSteps", report.backwardSteps());
          json.objects("spans", report.spans(), span -> writeSpan(json, span));
          if (report.losses().hasLedger()) {
            writeLossy(json, report.losses(), zone);
          }
          json.texts("notes", report.notes());
        });
  }

  private void writeSpan(JsonText json, CoverageSpan span) throws IOException {
    json.field("group", span.group().toString());
    json.field("kind", span.kind().text());
    writeRange(json, span.range(), zone);
    json.field("missing", span.missing());
    Path file = span.file();
    if (file != null) {
      json.field("file", file.toString());
      json.field("bytes", span.bytes());
    }
    if (!span.detail().isEmpty()) {
      json.field("detail", span.detail());
    }
    if (!span.absent().isEmpty()) {
      json.texts("absent", span.absent());
    }
  }

  /** Writes the spans in which events may be lost. */
  public static void writeLossy(JsonText json, Losses losses, ZoneId zone) throws IOException {
    json.objects(
        "lossy",
        losses.spans(),
        span -> {
          json.field("group", span.group().toString());
          writeRange(json, span.range(), zone);
          json.field("count", span.isCounted() ? span.count() : null);
          json.field("reason", span.reason());
        });
  }

  /** Writes a range. An open end is null. */
  private static void writeRange(JsonText json, TimeRange range, ZoneId zone) throws IOException {
    writeTime(json, "from", range.fromNanos() == Long.MIN_VALUE ? null : range.fromNanos(), zone);
    writeTime(json, "to", range.toNanos() == Long.MAX_VALUE ? null : range.toNanos(), zone);
  }

  private static void writeTime(JsonText json, String name, @Nullable Long nanos, ZoneId zone)
      throws IOException {
    json.field(name, nanos == null ? null : iso(nanos, zone));
    json.field(name + "Nanos", nanos);
  }

  /** Formats an instant in ISO 8601 with the zone's offset. */
  public static String iso(long nanos, ZoneId zone) {
    return TimeArgument.text(nanos, zone);
  }
}
