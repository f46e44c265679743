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

/** The messages of kblogrd on standard error, one line each. */
final class Messages {

  private static final int MAX_SPANS = 20;

  private final PrintStream err;
  private final Set<String> printed = new HashSet<>();

  Messages(PrintStream err) {
    this.err = err;
  }

  /** Prints a line, unless it was printed before. */
  void print(String line) {
    if (printed.add(line)) {
      err.println("kblogrd: " + line);
    }
  }

  /** Describes an error in one line. */
  static String of(IOException error) {
    String text = error.getMessage();
    if (error instanceof FileSystemException file && file.getReason() == null) {
      text = error.getClass().getSimpleName() + ": " + file.getFile();
    }
    return text == null || text.isEmpty() ? error.getClass().getSimpleName() : text;
  }

  /** Prints unknown records with the text that programs search for. */
  void printUnknown(List<String> records) {
    for (String record : records) {
      print("specified record name doesn't match: " + record);
    }
  }

  /**
   * Prints the notes of an answer, and the periods that are missing from it.
   *
   * @return whether no period is missing
   */
  boolean printCoverage(CoverageReport report, ZoneId zone) {
    for (String note : report.notes()) {
      print(note);
    }
    List<CoverageSpan> missing = report.missing();
    for (CoverageSpan span : missing.subList(0, Math.min(MAX_SPANS, missing.size()))) {
      print(line(span, zone));
    }
    if (missing.size() > MAX_SPANS) {
      print("incomplete: and " + (missing.size() - MAX_SPANS) + " more periods");
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
    // The detail may contain the file's path
    if (span.file() != null && !span.detail().contains(span.file().toString())) {
      line.append(", file=").append(span.file());
    }
    return span.detail().isEmpty() ? line.toString() : line + ": " + span.detail();
  }
}
