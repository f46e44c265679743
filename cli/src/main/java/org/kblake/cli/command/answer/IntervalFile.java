package org.kblake.cli.command.answer;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;

/**
 * Intervals that {@code kblake when} has written as CSV: a header, then rows whose first columns
 * are {@code from} and {@code to}.
 */
final class IntervalFile {

  private static final String HEADER = "from,to";
  private static final int MOST = 1_000_000;

  private IntervalFile() {}

  /**
   * Reads a file.
   *
   * @throws UsageException if it is not such a file
   */
  static TimeMask read(Session session, String option, String name) throws IOException {
    Path file = session.path(Path.of(name));
    List<TimeRange> ranges = new ArrayList<>();
    if (Files.isDirectory(file)) {
      throw new UsageException(option + " @" + file + " is a directory");
    }
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String header = lines.readLine();
      if (header == null || !(header + ",").startsWith(HEADER + ",")) {
        throw new UsageException(
            option + " @" + file + " does not begin with from,to: write it with kblake when");
      }
      int number = 1;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        if (number > MOST) {
          throw new UsageException(option + " @" + file + " has more than " + MOST + " lines");
        }
        if (!line.isBlank()) {
          ranges.add(range(session, option + " @" + file + ", line " + number, line));
        }
      }
    } catch (CharacterCodingException e) {
      throw new UsageException(
          option + " @" + file + " is not text in UTF-8: write it with kblake when", e);
    }
    return TimeMask.of(ranges);
  }

  private static TimeRange range(Session session, String place, String line) {
    String[] cells = line.split(",", 3);
    if (cells.length < 2) {
      throw new UsageException(place + " has no second column");
    }
    try {
      long from = nanos(session, cells[0], TimeArgument.Bound.FROM);
      long to = nanos(session, cells[1], TimeArgument.Bound.TO);
      if (from > to) {
        throw new UsageException(place + ": " + cells[0] + " is after " + cells[1]);
      }
      return new TimeRange(from, to);
    } catch (IllegalArgumentException e) {
      throw new UsageException(place + ": " + e.getMessage(), e);
    }
  }

  private static long nanos(Session session, String cell, TimeArgument.Bound bound) {
    return TimeArgument.parse(cell.strip())
        .nanos(session.settings().outZone(), session.now(), bound);
  }
}
