package org.kblake.cli.command.answer;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.kblake.cli.frame.Session;
import org.kblake.query.answer.Losses;
import org.kblake.query.answer.LossySpan;

/** Reports when events may be lost. */
public final class LossLines {

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);

  private static final int AT_MOST = 20;
  private static final int MIN_NAME_WIDTH = 8;

  private LossLines() {}

  /**
   * Writes on standard error one line on all spans, which the coverage of {@code kblake get} lists.
   */
  public static void writeSummary(Session session, Losses losses) {
    String summary = losses.summary();
    if (summary != null) {
      session.note(summary + " (kblake get --coverage)");
    }
  }

  /** Writes the notes on losses that no coverage has, and the line on all spans. */
  public static void writeBehind(Session session, Losses losses) {
    losses.notes().forEach(session::note);
    writeSummary(session, losses);
  }

  /** Writes on standard error a line on all spans, and one for each, at most twenty. */
  public static void write(Session session, Losses losses) {
    String summary = losses.summary();
    if (summary == null) {
      return;
    }
    session.note(summary);
    List<LossySpan> spans = losses.spans();
    ZoneId zone = session.settings().outZone();
    for (LossySpan span : spans.subList(0, Math.min(AT_MOST, spans.size()))) {
      session.note(
          "possibly lossy: %s from %s to %s%s, %s"
              .formatted(
                  span.group(),
                  CoverageJson.iso(span.range().fromNanos(), zone),
                  CoverageJson.iso(span.range().toNanos(), zone),
                  span.isCounted() ? ", at least %d events".formatted(span.count()) : "",
                  span.reason()));
    }
    if (spans.size() > AT_MOST) {
      session.note("and %d more lossy spans".formatted(spans.size() - AT_MOST));
    }
  }

  /** Returns the lines of a table of all spans; none without spans. */
  public static List<String> table(Losses losses, ZoneId zone) {
    if (losses.spans().isEmpty()) {
      return List.of();
    }
    int width = MIN_NAME_WIDTH;
    for (LossySpan span : losses.spans()) {
      width = Math.max(width, span.group().toString().length());
    }
    String row = "%-" + width + "s %-19s %-19s %7s %s";
    List<String> lines = new ArrayList<>();
    lines.add(row.formatted("GROUP", "POSSIBLY LOSSY FROM", "TO", "EVENTS", "REASON"));
    for (LossySpan span : losses.spans()) {
      lines.add(
          row.formatted(
              span.group(),
              time(span.range().fromNanos(), zone),
              time(span.range().toNanos(), zone),
              span.isCounted() ? span.count() + "+" : "-",
              span.reason()));
    }
    return lines;
  }

  private static String time(long nanos, ZoneId zone) {
    return TIME.format(Instant.ofEpochSecond(0, nanos).atZone(zone));
  }
}
