package org.kblake.cli.command.answer;

import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;

/** Reports the periods and files that are missing from an answer on standard error. */
public final class MissingLines {

  private static final int AT_MOST = 20;

  private final Session session;
  private final ZoneId zone;

  public MissingLines(Session session) {
    this.session = session;
    this.zone = session.settings().outZone();
  }

  /** Writes a line for each period, at most twenty. */
  public void write(CoverageReport report) {
    List<CoverageSpan> missing = report.missing();
    for (CoverageSpan span : missing.subList(0, Math.min(AT_MOST, missing.size()))) {
      session.incomplete(line(span));
    }
    if (missing.size() > AT_MOST) {
      session.incomplete(
          "and "
              + (missing.size() - AT_MOST)
              + " more periods; kblake get --coverage FILE writes all of them");
    }
  }

  private String line(CoverageSpan span) {
    StringBuilder line = new StringBuilder();
    line.append(span.kind().text()).append(": ").append(span.group()).append(period(span.range()));
    String detail = span.detail();
    Path file = span.file();
    // The detail may contain the file's path
    if (file != null && !detail.contains(file.toString())) {
      line.append(", file=").append(file);
    }
    return detail.isEmpty() ? line.toString() : line.append(": ").append(detail).toString();
  }

  private String period(TimeRange range) {
    StringBuilder period = new StringBuilder();
    if (range.fromNanos() != Long.MIN_VALUE) {
      period.append(" from ").append(CoverageJson.iso(range.fromNanos(), zone));
    }
    if (range.toNanos() != Long.MAX_VALUE) {
      period.append(" to ").append(CoverageJson.iso(range.toNanos(), zone));
    }
    return period.toString();
  }
}
