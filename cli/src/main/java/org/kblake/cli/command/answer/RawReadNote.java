package org.kblake.cli.command.answer;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.frame.Session;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.ByteSize;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;

/**
 * A line after a long read of raw logs: how much was read, how long that took, and the command that
 * puts it into columns. The line has a factor only if the same answer read enough from columns,
 * too.
 *
 * @param zone the time zone of the command's times
 * @param advises whether the line names the command
 */
public record RawReadNote(TimeRange range, ZoneId zone, boolean advises) {

  private static final double SECONDS_PER_NANO = 1e-9;
  private static final long SECOND = 1_000_000_000L;

  /**
   * With fewer bytes the speed cannot be measured. In a short answer, most of the time may be that
   * of a slow reader of the output, such as a pager.
   */
  private static final long MIN_BYTES = 16L << 20;

  private static final double MIN_FACTOR = 1.5;

  /** The command may be used with another output zone, so the times have their offset. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx", Locale.ROOT);

  /** Prints the line to standard error if reading raw logs took long. */
  public static void print(
      Session session, EventQuery query, Collection<Group> groups, ReadPlan.Spent spent) {
    if (spent.rawNanos() < SECOND) {
      return;
    }
    boolean advises = query.source() != Source.RAW && session.settings().hasStore();
    String line =
        new RawReadNote(query.range(), session.settings().outZone(), advises).line(groups, spent);
    if (line != null) {
      session.note(line);
    }
  }

  /** Returns the line, or null if little was read from raw logs, or it did not take long. */
  @Nullable String line(Collection<Group> groups, ReadPlan.Spent spent) {
    // The times of several groups overlap. The time of each is nearly that of the whole answer.
    long rawNanos = spent.rawNanos() / Math.max(1, groups.size());
    if (rawNanos < SECOND || spent.rawBytes() < MIN_BYTES) {
      return null;
    }
    StringBuilder line = new StringBuilder("read ").append(new ByteSize(spent.rawBytes()));
    if (spent.storedBytes() > 0) {
      line.append(" of ").append(new ByteSize(spent.rawBytes() + spent.storedBytes()));
      line.append(" of log");
    }
    line.append(
        String.format(Locale.ROOT, " from raw logs in %.1f s", rawNanos * SECONDS_PER_NANO));
    if (advises) {
      line.append("; put it into columns with: ").append(command(groups));
      double factor = groups.size() == 1 ? factor(spent) : 0;
      if (factor >= MIN_FACTOR) {
        line.append(
            String.format(
                Locale.ROOT, " (this answer read log in columns %.0f times as fast)", factor));
      }
    }
    return line.toString();
  }

  /** Returns how much faster columns were read, or 0 if too little was read from them. */
  private static double factor(ReadPlan.Spent spent) {
    if (spent.storedBytes() < MIN_BYTES || spent.storedNanos() == 0) {
      return 0;
    }
    double stored = (double) spent.storedBytes() / spent.storedNanos();
    return stored / ((double) spent.rawBytes() / spent.rawNanos());
  }

  private String command(Collection<Group> groups) {
    StringBuilder command = new StringBuilder("kblake backfill");
    groups.forEach(group -> command.append(" --group ").append(group));
    if (range.fromNanos() != Long.MIN_VALUE) {
      command.append(" --from ").append(time(Math.floorDiv(range.fromNanos(), SECOND)));
    }
    return command
        .append(" --to ")
        .append(time(-Math.floorDiv(-range.toNanos(), SECOND)))
        .toString();
  }

  private String time(long seconds) {
    return TIME.format(Instant.ofEpochSecond(seconds).atZone(zone));
  }
}
