package org.kblake.cli.kblogrd;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.FileSystemException;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.kblake.cli.kblogrd.request.Stamp;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;

/** What kblogrd says on standard error, a line each. */
final class Messages {

  private static final int MOST_SPANS = 20;

  private final PrintStream err;
  private final Set<String> said = new HashSet<>();

  Messages(PrintStream err) {
    this.err = err;
  }

  /** Says a line, once. */
  void say(String line) {
    if (said.add(line)) {
      err.println("kblogrd: " + line);
    }
  }

  /** An error in a line. */
  static String of(IOException error) {
    String text = error.getMessage();
    if (error instanceof FileSystemException file && file.getReason() == null) {
      text = error.getClass().getSimpleName() + ": " + file.getFile();
    }
    return text == null || text.isEmpty() ? error.getClass().getSimpleName() : text;
  }

  /** Names records that do not exist, in the words that programs look for. */
  void sayUnknown(List<String> records) {
    for (String record : records) {
      say("specified record name doesn't match: " + record);
    }
  }

  /**
   * Says what is to be known of an answer: its notes, and the periods that it misses.
   *
   * @return whether it misses none
   */
  boolean tell(CoverageReport report, ZoneId zone) {
    for (String note : report.notes()) {
      say(note);
    }
    List<CoverageSpan> missing = report.missing();
    for (CoverageSpan span : missing.subList(0, Math.min(MOST_SPANS, missing.size()))) {
      say(line(span, zone));
    }
    if (missing.size() > MOST_SPANS) {
      say("incomplete: and " + (missing.size() - MOST_SPANS) + " more periods");
    }
    return missing.isEmpty();
  }

  private static String line(CoverageSpan span, ZoneId zone) {
    StringBuilder line = new StringBuilder("incomplete: ");
    line.append(span.kind().text()).append(": ").append(span.group());
    TimeRange range = span.range();
    if (range.fromNanos() != Long.MIN_VALUE) {
      line.append(" from ").append(Stamp.of(range.fromNanos(), zone));
    }
    if (range.toNanos() != Long.MAX_VALUE) {
      line.append(" to ").append(Stamp.of(range.toNanos(), zone));
    }
    // a detail names the file itself where it is about a file
    if (span.file() != null && !span.detail().contains(span.file().toString())) {
      line.append(", file=").append(span.file());
    }
    return span.detail().isEmpty() ? line.toString() : line + ": " + span.detail();
  }
}
