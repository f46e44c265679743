package org.kblake.cli.command.get;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.kblake.cli.command.answer.MissingLines;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Session;
import org.kblake.format.argument.ByteSize;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.question.EventQuery;

/** Prints the files that an answer would be read from. */
final class DryRun implements GetAnswer {

  private static final String ROW = "%-8s %-18s %-14s %10s %12s  %s%n";

  private final Session session;
  private final EventQuery query;

  DryRun(Session session, EventQuery query) {
    this.session = session;
    this.query = query;
  }

  /** A block or a log file that would be read. */
  private record Source(boolean stored, Path path, String stamp) {}

  @Override
  public int write(ArchiveReader archive, AnswerOutput target, AnswerEnd end) throws IOException {
    try (EventCursor cursor = archive.cursor(query)) {
      return print(cursor);
    }
  }

  /** Prints a line for each block and log file, then sums, and returns the exit status. */
  private int print(EventCursor cursor) throws IOException {
    Map<Source, ReadPlan.Range> ranges = new LinkedHashMap<>();
    for (ReadPlan.Range range : cursor.plan().ranges()) {
      Source source = new Source(range.stored(), range.path(), range.stamp());
      ranges.merge(source, range, DryRun::sum);
    }
    Writer out = session.text();
    out.append(String.format(ROW, "SOURCE", "GROUP", "PAIR", "BYTES", "EVENTS", "PATH"));
    for (ReadPlan.Range range : ranges.values()) {
      out.append(
          String.format(
              ROW,
              range.stored() ? "columns" : "raw",
              range.group(),
              range.stamp(),
              new ByteSize(range.readBytes()),
              about(range.events()),
              range.path()));
    }
    out.append(String.format("%n%s%n", count(cursor.channels().size(), "channel")));
    writeSum(out, "block", true, ranges);
    writeSum(out, "raw log", false, ranges);
    out.flush();
    CoverageReport known = cursor.coverage();
    new MissingLines(session).write(known);
    return known.isComplete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private static ReadPlan.Range sum(ReadPlan.Range first, ReadPlan.Range second) {
    return new ReadPlan.Range(
        first.group(),
        first.stamp(),
        first.stored(),
        first.path(),
        first.rawBytes() + second.rawBytes(),
        first.readBytes() + second.readBytes(),
        first.events() + second.events());
  }

  private static void writeSum(
      Writer out, String what, boolean stored, Map<Source, ReadPlan.Range> ranges)
      throws IOException {
    long bytes = 0;
    long events = 0;
    for (ReadPlan.Range range : ranges.values()) {
      if (range.stored() == stored) {
        bytes += range.readBytes();
        events += range.events();
      }
    }
    long sources =
        ranges.keySet().stream()
            .filter(source -> source.stored() == stored)
            .map(Source::path)
            .distinct()
            .count();
    out.append(
        String.format(
            "%s, %s, events %s%n", count(sources, what), new ByteSize(bytes), about(events)));
  }

  private static String count(long number, String what) {
    return number + " " + what + (number == 1 ? "" : "s");
  }

  private static String about(long number) {
    return number == 0 ? "0" : "~" + number;
  }
}
