package org.kblake.record.command;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.cli.command.shared.WriteFailure;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.progress.Progress;
import org.kblake.cli.progress.ProgressUnit;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.format.argument.TimeArgument;
import org.kblake.record.importing.ImportReport;
import org.kblake.record.importing.ImportSettings;
import org.kblake.record.importing.ImportSource;
import org.kblake.record.importing.ImportTarget;
import org.kblake.record.importing.LogImport;
import org.kblake.record.importing.SourceChannel;

/** What both commands that import do with their source. */
final class ImportWork {

  private static final long DAY_NANOS = TimeUnit.DAYS.toNanos(1);

  static final String ADVICE = "whole pairs are kept: the same command continues";

  private final Session session;
  private final ImportOptions options;
  private final Group group;
  private final TimeRange range;
  private final ImportSettings settings;
  private final ImportReport report;

  /** Opens a source. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens the source.
     *
     * @param rest what is to be imported, and is not
     * @param countedNanos what is left out up to this place of the order is not counted
     */
    Opened open(TimeRange rest, long countedNanos) throws IOException, InterruptedException;
  }

  /**
   * A source.
   *
   * @param total its work in a unit
   */
  record Opened(ImportSource source, long total, ProgressUnit unit) {}

  /**
   * A line of the table of channels.
   *
   * @param firstNanos the time of the first event, nanoseconds since 1970 UTC
   * @param lastNanos the time of the last event
   * @param extent the columns of the source
   */
  record Row(SourceChannel channel, long firstNanos, long lastNanos, String extent) {}

  ImportWork(Session session, ImportOptions options) {
    this.session = session;
    this.options = options;
    group = options.group();
    range = options.range(session);
    settings = options.settings(session);
    report = new ImportReport(session::report);
  }

  ImportReport report() {
    return report;
  }

  TimeRange range() {
    return range;
  }

  /** Returns the chosen ones of all channels. */
  List<String> channels(List<String> all) throws IOException {
    List<String> chosen = options.channels(session, all, report);
    if (chosen.isEmpty()) {
      throw new RequestException("the source has no channel of this choice");
    }
    return chosen;
  }

  /**
   * Prints channels.
   *
   * @param extent the heads of the columns of the source
   */
  void print(String extent, Stream<Row> rows) throws IOException {
    try (Writer out = session.text()) {
      out.write(line("FROM", "TO", "TYPE", "ELEMENTS", extent, "CHANNEL"));
      for (Row row : (Iterable<Row>) rows::iterator) {
        SourceChannel channel = row.channel();
        out.write(
            line(
                day(row.firstNanos()),
                day(row.lastNanos()),
                channel.type().text(),
                channel.elements(),
                row.extent(),
                channel.name()));
      }
    }
  }

  private static String line(Object... cells) {
    return "%-10s  %-10s  %-6s  %8s  %s  %s%n".formatted(cells);
  }

  private String day(long nanos) {
    return TimeArgument.text(nanos, session.settings().outZone())
        .substring(0, "2026-01-01".length());
  }

  /** Copies the events. Returns the exit status. */
  int run(Opener opener) throws IOException, InterruptedException {
    Path root = session.settings().archive();
    try (ImportTarget target =
        ImportTarget.open(
            root, group, session.settings().zone(), session.environment().clock().millis())) {
      requireFree(target);
      long from = Math.max(range.fromNanos(), target.untilNanos());
      TimeRange rest = new TimeRange(from, Math.max(from, range.toNanos()));
      long counted = Math.max(EpochNanos.minus(range.fromNanos(), 1), target.untilNanos());
      Opened opened = ForeignSource.read(() -> opener.open(rest, counted));
      try (ImportSource source = new ForeignSource(opened.source())) {
        noteNew(target, source);
        copy(target, source, opened);
      }
    } catch (IOException e) {
      throw WriteFailure.explained(e, root, ADVICE);
    }
    return status();
  }

  /** Returns the exit status, and prints what was left out. */
  int status() {
    String summary = report.summary();
    if (report.hasLosses()) {
      session.incomplete(summary);
      return ExitStatus.INCOMPLETE;
    }
    if (!summary.isEmpty()) {
      session.note(summary);
    }
    return ExitStatus.DONE;
  }

  private void copy(ImportTarget target, ImportSource source, Opened opened) throws IOException {
    boolean isContinued = target.isContinued();
    LogImport.Summary summary;
    try (Progress progress = session.progress("import", opened.total(), opened.unit())) {
      summary =
          new LogImport(source, target, settings, report, session.environment().clock())
              .run(range, progress::advance);
    }
    if (summary.events() == 0) {
      session.note(
          isContinued
              ? group + ": nothing new; the state of its imports is in " + target.stateFile()
              : group + ": no events of this choice and range");
      return;
    }
    session.note(
        String.format(
            Locale.ROOT, "%s: %,d events in %d pairs", group, summary.events(), summary.pairs()));
    long now = TimeUnit.MILLISECONDS.toNanos(session.environment().clock().millis());
    if (target.untilNanos() > now + DAY_NANOS) {
      session.report(
          "the last event is in the future, and a later import adds nothing before it; to leave it"
              + " out, give --to and another group: group="
              + group
              + ", time="
              + TimeArgument.text(target.untilNanos(), session.settings().outZone()));
    }
  }

  /** Checks that the range ends before the logs of other programs. */
  private void requireFree(ImportTarget target) {
    long limit = target.limitNanos();
    if (range.toNanos() > limit) {
      throw new RequestException(
          "group has logs of another program from "
              + TimeArgument.text(limit, session.settings().outZone())
              + " on, which stay as they are; give an earlier --to, or name another group: group="
              + group);
    }
  }

  private void noteNew(ImportTarget target, ImportSource source) {
    if (target.isContinued()) {
      String until = TimeArgument.text(target.untilNanos(), session.settings().outZone());
      session.note(group + ": continues after " + until);
      long added =
          source.channels().stream().filter(each -> !target.hasImported(each.name())).count();
      if (added > 0) {
        session.note(
            "%s: %d channels are new; their events before %s are left out: import them into another group"
                .formatted(group, added, until));
      }
    }
  }
}
