package org.kblake.cli.command.get;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.command.answer.LossLines;
import org.kblake.cli.frame.TextColor;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.DurationArgument;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.ReadPlan;

/**
 * The coverage report as a table of its spans, a sentence on the whole, and a table of the spans in
 * which events may be lost. Neighbours that differ in their files only are one line.
 */
final class CoverageText {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private static final int MIN_NAME_WIDTH = 8;

  private final Answered answered;
  private final ZoneId zone;
  private final boolean colored;
  private final String row;
  private final List<String> lines = new ArrayList<>();

  private CoverageText(Answered answered, ZoneId zone, boolean colored) {
    this.answered = answered;
    this.zone = zone;
    this.colored = colored;
    int width = MIN_NAME_WIDTH;
    for (CoverageSpan span : answered.coverage().spans()) {
      width = Math.max(width, span.group().toString().length());
    }
    row = "%-" + width + "s %-15s %-19s %-19s %8s";
  }

  /**
   * Returns the lines. With names of groups of up to 15 characters they have at most 80.
   *
   * @param zone the zone of the times
   * @param colored whether lines of times with missing events are coloured
   */
  static List<String> of(Answered answered, ZoneId zone, boolean colored) {
    CoverageText text = new CoverageText(answered, zone, colored);
    text.addTable();
    text.addSummary();
    text.lines.addAll(LossLines.table(answered.coverage().losses(), zone));
    return text.lines;
  }

  private void addTable() {
    lines.add(row.formatted("GROUP", "KIND", "FROM", "TO", "DURATION"));
    List<CoverageSpan> spans = answered.coverage().spans();
    int from = 0;
    for (int i = 1; i <= spans.size(); i++) {
      if (i == spans.size() || !isAlike(spans.get(from), spans.get(i))) {
        add(spans.get(from), spans.get(i - 1).range().toNanos());
        from = i;
      }
    }
  }

  private static boolean isAlike(CoverageSpan first, CoverageSpan second) {
    return first.group().equals(second.group())
        && first.kind() == second.kind()
        && first.missing() == second.missing();
  }

  private void add(CoverageSpan span, long toNanos) {
    TimeRange range = new TimeRange(span.range().fromNanos(), toNanos);
    String line =
        row.formatted(
            span.group(),
            span.kind().text() + (span.missing() ? " !" : ""),
            time(range.fromNanos()),
            time(toNanos),
            duration(range));
    lines.add(colored && span.missing() ? TextColor.RED.of(line) : line);
  }

  /** Formats a time in whole seconds. An open end is a hyphen. */
  private String time(long nanos) {
    return nanos == Long.MIN_VALUE || nanos == Long.MAX_VALUE
        ? "-"
        : TIME.format(Instant.ofEpochSecond(0, nanos).atZone(zone));
  }

  private static String duration(TimeRange range) {
    if (range.fromNanos() == Long.MIN_VALUE || range.toNanos() == Long.MAX_VALUE) {
      return "-";
    }
    long millis = Math.round(((double) range.toNanos() - range.fromNanos()) * 1e-6);
    return millis < TimeUnit.SECONDS.toMillis(1)
        ? millis + " ms"
        : DurationArgument.about(TimeUnit.MILLISECONDS.toSeconds(millis));
  }

  private void addSummary() {
    lines.add(
        answered.coverage().isComplete()
            ? "complete: no event of the range is missing"
            : "incomplete: events may be missing where a line has !");
    ReadPlan.Spent spent = answered.spent();
    if (spent != null && spent.storedBytes() + spent.rawBytes() > 0) {
      double stored = (double) spent.storedBytes() / (spent.storedBytes() + spent.rawBytes());
      // A part is never all or nothing
      double percent = Math.max(0.1, Math.min(99.9, stored * 100));
      lines.add(
          stored == 0 || stored == 1
              ? "all from " + (stored == 1 ? "columns" : "raw logs")
              : String.format(
                  Locale.ROOT,
                  "%.1f%% of the log from columns, %.1f%% from raw logs",
                  percent,
                  100 - percent));
    }
  }
}
