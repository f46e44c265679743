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
    Map<Source, ReadPlan.Part> parts = new LinkedHashMap<>();
    for (ReadPlan.Part part : cursor.plan().parts()) {
      Source source = new Source(part.stored(), part.path(), part.stamp());
      parts.merge(source, part, DryRun::sum);
    }
    Writer out = session.text();
    out.append(String.format(ROW, "SOURCE", "GROUP", "PAIR", "BYTES", "EVENTS", "PATH"));
    for (ReadPlan.Part part : parts.values()) {
      out.append(
          String.format(
              ROW,
              part.stored() ? "columns" : "raw",
              part.group(),
              part.stamp(),
              new ByteSize(part.readBytes()),
              about(part.events()),
              part.path()));
    }
    out.append(String.format("%n%s%n", count(cursor.channels().size(), "channel")));
    writeSum(out, "block", true, parts);
    writeSum(out, "raw log", false, parts);
    out.flush();
    CoverageReport known = cursor.coverage();
    new MissingLines(session).write(known);
    return known.isComplete() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }

  private static ReadPlan.Part sum(ReadPlan.Part first, ReadPlan.Part second) {
    return new ReadPlan.Part(
        first.group(),
        first.stamp(),
        first.stored(),
        first.path(),
        first.rawBytes() + second.rawBytes(),
        first.readBytes() + second.readBytes(),
        first.events() + second.events());
  }

  private static void writeSum(
      Writer out, String what, boolean stored, Map<Source, ReadPlan.Part> parts)
      throws IOException {
    long bytes = 0;
    long events = 0;
    for (ReadPlan.Part part : parts.values()) {
      if (part.stored() == stored) {
        bytes += part.readBytes();
        events += part.events();
      }
    }
    long sources =
        parts.keySet().stream()
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
