package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.LastVerify;
import org.kblake.cli.command.shared.OptionalStore;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.cli.handover.HandoverRequest;
import org.kblake.cli.handover.ServiceRequest;
import org.kblake.cli.process.Window;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.StaleThresholds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;

/** {@code kblake status}: shows groups, their share in columns, and problems. */
public final class StatusCommand implements Command {

  /** The output formats. The names are the option's values. */
  enum Form {
    text,
    json
  }

  private final Session session;
  private final CommandModel model =
      CommandModel.of("status", "Show the state of archive and columns.")
          .description(
              "",
              "Prints a line per group: time since the newest event (AGE), time from the newest"
                  + " event in columns to it (LAG), share of the logs in columns, size of the logs"
                  + " (RAW) and of the columns (STORED), growth of the logs per day in the last"
                  + " week, and number of blocks. -f json has more figures.",
              "",
              "Lines above show whether kblake run follows the archive, since when, and how fast,"
                  + " which other process writes the store, and the totals.",
              "",
              "Problems are reported on standard error, and the status is then 3. The command"
                  + " reads only sizes and ends of files. kblake verify reads all of them.")
          .footer(
              "  kblake status",
              "  kblake status -f json",
              "  kblake status --problems",
              "  kblake status --sort size",
              "  kblake status --watch",
              "  kblake status --what-if");

  private final GroupOption groups = new GroupOption(model);

  private final Value<Form> form =
      model.preset(
          Form.class,
          "text",
          "FORMAT",
          "${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.",
          "-f",
          "--format");

  private final Value<GroupSort> sort =
      model.preset(
          GroupSort.class,
          "worst",
          "ORDER",
          "Order of the groups: ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}. worst begins"
              + " with the groups that have problems, then the oldest newest event.",
          "--sort");

  private final Flag onlyProblems =
      model.flag(
          "Print only groups that are away, have problems, or have no event for longer than the"
              + " settings stale-warning and stale-critical allow.",
          "--problems");

  private final OptionalValue<Integer> watch =
      model.valueOrElse(
          int.class,
          "2",
          "SECONDS",
          "Show it again at this interval until Ctrl-C, as much as fits the window; default: 2"
              + " seconds.",
          "--watch");

  private final Flag reset =
      model.flag(
          "Reset the counters of kblake run first. Counters of Prometheus are never reset.",
          "--reset");

  private final Flag whatIf =
      model.flag(
          "Also print the hit ratio that other budgets would have had, by the recorded reads of"
              + " all groups.",
          "--what-if");

  public StatusCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if (reset.isSet()) {
      int status =
          Stoppable.run(
              session,
              "it is unknown whether the counters were reset",
              () -> {
                ServiceRequest.send(
                    session.settings().store(), HandoverRequest.resetOfCounters(), session::note);
                return ExitStatus.DONE;
              });
      if (status != ExitStatus.DONE) {
        return status;
      }
    }
    Integer seconds = watch.get();
    if (seconds == null) {
      return print(report());
    }
    if (seconds < 1) {
      throw new UsageException("--watch must be at least 1, found " + seconds);
    }
    return Stoppable.run(session, "nothing was changed", () -> watch(seconds));
  }

  private int watch(int seconds) throws IOException, InterruptedException {
    if (!session.outIsTerminal() || form.get() != Form.text) {
      while (true) {
        int unused = print(report());
        TimeUnit.SECONDS.sleep(seconds);
      }
    }
    try (WatchScreen screen = new WatchScreen(session.out(), session.outIsColored())) {
      while (true) {
        StatusReport report = report();
        List<StatusText.Line> lines = StatusText.of(report);
        report.allProblems().forEach(line -> lines.add(new StatusText.Line(line, null)));
        screen.show(lines, Window.now());
        TimeUnit.SECONDS.sleep(seconds);
      }
    }
  }

  private StatusReport report() throws IOException {
    Instant now = session.now();
    List<String> problems = new ArrayList<>();
    Archive archive = session.settings().openArchive();
    List<GroupRow> rows = new ArrayList<>();
    StaleThresholds stale = new StaleThresholds(RunSettings.of(session.settings()), false);
    WhatIf budgets = null;
    try (OptionalStore store = OptionalStore.of(session.settings(), problems::add)) {
      KnownGroups known = KnownGroups.of(session.settings(), archive, store.store());
      problems.addAll(known.notes());
      if (groups.named().isEmpty()) {
        problems.addAll(known.problems());
      }
      GroupSurvey survey = new GroupSurvey(known, store.store());
      for (Group group : known.chosen(groups.named(), "archive and store")) {
        rows.add(GroupRow.of(survey.of(group), stale.of(group), now));
      }
      if (whatIf.isSet()) {
        budgets = WhatIfSurvey.find(session, known, store.store());
      }
    }
    return new StatusReport(
        session.settings(),
        List.copyOf(problems),
        List.copyOf(rows),
        rows.stream()
            .filter(row -> !onlyProblems.isSet() || row.isProblem())
            .sorted(sort.get().order())
            .toList(),
        ProcessReport.of(session.settings(), now),
        session.settings().hasStore() ? LastVerify.read(session.settings().store()) : null,
        budgets,
        now);
  }

  private int print(StatusReport report) throws IOException {
    Writer out = session.text();
    switch (form.get()) {
      case text -> {
        for (StatusText.Line line : StatusText.of(report)) {
          out.append(line.colored(session.outIsColored())).append('\n');
        }
      }
      case json -> StatusJson.write(report, out);
    }
    out.flush();
    List<String> all = report.allProblems();
    all.forEach(session::incomplete);
    return all.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
