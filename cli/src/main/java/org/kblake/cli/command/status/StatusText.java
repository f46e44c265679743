package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jline.utils.WCWidth;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Severity;
import org.kblake.cli.command.shared.LastVerify;
import org.kblake.cli.frame.TextColor;
import org.kblake.format.argument.ByteSize;
import org.kblake.format.argument.DurationArgument;

/**
 * The status as lines of text: a summary, then a table of groups. With names of groups of up to 22
 * characters the table has at most 80 columns.
 */
final class StatusText {

  private static final String COLUMNS = "s %7s %7s %7s %8s %8s %8s %6s";
  private static final int MIN_NAME_WIDTH = 16;
  private static final int ASCII_END = 0x80;

  private final StatusReport report;
  private final List<Line> lines = new ArrayList<>();

  private StatusText(StatusReport report) {
    this.report = report;
  }

  /**
   * A line of text.
   *
   * @param color the colour; null for none
   */
  record Line(String text, @Nullable TextColor color) {

    String colored(boolean isColored) {
      return color == null || !isColored ? text : color.of(text);
    }

    /** Returns the first characters of this line, as many as fit. Some take two columns. */
    Line cut(int columns) {
      int left = columns;
      int end = 0;
      while (end < text.length()) {
        int character = text.codePointAt(end);
        left -= character < ASCII_END ? 1 : Math.max(0, WCWidth.wcwidth(character));
        if (left < 0) {
          return new Line(text.substring(0, end), color);
        }
        end += Character.charCount(character);
      }
      return this;
    }
  }

  static List<Line> of(StatusReport report) throws IOException {
    StatusText text = new StatusText(report);
    text.addSummary();
    text.addTable();
    return text.lines;
  }

  private void add(String line) {
    lines.add(new Line(line, null));
  }

  private void addSummary() {
    add("archive  " + report.settings().archive() + " (" + report.settings().outZone() + ")");
    add("store    " + Objects.requireNonNullElse(report.store(), "none is set"));
    report.process().text().lines().forEach(this::add);
    LastVerify verified = report.verified();
    if (verified != null) {
      lines.add(
          new Line(
              "verify   %s ago: %,d blocks, %s"
                  .formatted(
                      DurationArgument.about(
                          Math.max(0, Duration.between(verified.date(), report.now()).toSeconds())),
                      verified.blocks(),
                      verified.wrong() == 0 ? "none wrong" : verified.wrong() + " wrong"),
              verified.wrong() == 0 ? null : TextColor.RED));
    }
    long wrong = report.groups().stream().filter(GroupRow::isProblem).count();
    Severity worst =
        report.groups().stream()
            .map(GroupRow::severity)
            .max(Comparator.naturalOrder())
            .orElse(Severity.OK);
    lines.add(
        new Line(
            "groups   %d, %s%s"
                .formatted(
                    report.groups().size(),
                    wrong == 0 ? "none with problems" : wrong + " with problems",
                    newestEvents()),
            wrong == 0 ? null : SeverityColor.of(worst)));
    Double coverage = report.coverage();
    add(
        "total    %s raw, %s in columns: %s, %,d blocks; %s a day"
            .formatted(
                new ByteSize(report.sum(GroupStatus::rawBytes)),
                coverage == null ? "unknown share" : percent(coverage),
                new ByteSize(report.sum(GroupStatus::storedBytes)),
                report.sum(GroupStatus::blocks),
                new ByteSize(report.rawBytesPerDay())));
  }

  private String newestEvents() {
    Comparator<GroupRow> byAge = GroupSort.AGE.order().reversed();
    List<GroupRow> known =
        report.groups().stream().filter(row -> row.ageSeconds() != null).sorted(byAge).toList();
    if (known.isEmpty()) {
      return "";
    }
    String first = age(known.get(0));
    String last = age(known.get(known.size() - 1));
    return first.equals(last)
        ? "; newest events are " + first + " old"
        : "; newest events are " + first + " to " + last + " old";
  }

  private void addTable() throws IOException {
    List<GroupRow> shown = report.shown();
    if (!shown.isEmpty()) {
      add("");
      int width =
          shown.stream()
              .mapToInt(row -> row.status().group().toString().length())
              .reduce(MIN_NAME_WIDTH, Math::max);
      String row = "%-" + width + COLUMNS;
      lines.add(
          new Line(
              row.formatted("GROUP", "AGE", "LAG", "COLUMNS", "RAW", "STORED", "PER DAY", "BLOCKS"),
              TextColor.BOLD));
      for (GroupRow each : shown) {
        addRow(row, each);
      }
    }
    if (report.whatIf() != null) {
      StringWriter text = new StringWriter();
      report.whatIf().writeText(text, report.settings().outZone());
      text.toString().lines().forEach(this::add);
    }
  }

  private void addRow(String row, GroupRow each) {
    GroupStatus group = each.status();
    Double coverage = group.coverage();
    lines.add(
        new Line(
            row.formatted(
                group.group(),
                age(each),
                lag(group),
                coverage == null ? "-" : percent(coverage),
                new ByteSize(group.rawBytes()),
                new ByteSize(group.storedBytes()),
                new ByteSize(Math.round(group.rawBytesPerDay())),
                group.blocks()),
            each.isProblem() ? SeverityColor.of(each.severity()) : null));
  }

  private static String age(GroupRow row) {
    return row.ageSeconds() == null ? "-" : DurationArgument.about(row.ageSeconds());
  }

  private static String lag(GroupStatus group) {
    if (group.away()) {
      return "away";
    }
    return group.lagNanos() == null
        ? "-"
        : DurationArgument.about(TimeUnit.NANOSECONDS.toSeconds(group.lagNanos()));
  }

  /** Formats a share. A share below 1 is never printed as 100%. */
  private static String percent(double share) {
    double percent = share * 100;
    return share < 1 && percent > 99.9
        ? "99.9%"
        : String.format(Locale.ROOT, percent >= 100 ? "%.0f%%" : "%.1f%%", percent);
  }
}
