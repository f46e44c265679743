package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.command.service.CounterReset;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.command.shared.KnownGroups;
import org.kblake.cli.command.shared.OptionalStore;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.Value;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.model.Group;

/** {@code kblake status}: shows groups, their share in columns, and problems. */
public final class StatusCommand implements Command {

  private static final long WATCH_MILLIS = 2_000;

  /** Moves the cursor to the upper left and erases everything below. */
  private static final String CLEAR = "\u001b[H\u001b[J";

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
              "Prints a line per group: number of pairs, their period, time since the newest"
                  + " event, size of the logs, share in columns, size and number of the blocks,"
                  + " growth per day in the last week, and time from the newest event in columns to"
                  + " the newest event.",
              "",
              "Lines above show whether kblake run follows the archive, since when, and how fast.",
              "",
              "Problems are reported on standard error, and the status is then 3. The command"
                  + " reads only sizes and ends of files. kblake verify reads all of them.")
          .footer(
              "  kblake status",
              "  kblake status -f json",
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

  private final Flag watch = model.flag("Print it again every 2 seconds, until Ctrl-C.", "--watch");

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
                new CounterReset(session).run();
                return ExitStatus.DONE;
              });
      if (status != ExitStatus.DONE) {
        return status;
      }
    }
    return watch.isSet() ? Stoppable.run(session, "nothing was changed", this::watch) : show();
  }

  private int watch() throws IOException, InterruptedException {
    while (true) {
      if (session.outIsTerminal()) {
        session.out().write(CLEAR.getBytes(StandardCharsets.US_ASCII));
      }
      int unused = show();
      TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
    }
  }

  private int show() throws IOException {
    List<String> problems = new ArrayList<>();
    Archive archive = session.settings().openArchive();
    List<GroupStatus> statuses = new ArrayList<>();
    WhatIf budgets = null;
    try (OptionalStore store = OptionalStore.of(session.settings())) {
      KnownGroups known = KnownGroups.of(session.settings(), archive, store.store());
      problems.addAll(known.notes());
      if (groups.named().isEmpty()) {
        problems.addAll(known.problems());
      }
      GroupSurvey survey = new GroupSurvey(known, store.store());
      for (Group group : known.chosen(groups.named(), "archive and store")) {
        statuses.add(survey.of(group));
      }
      if (whatIf.isSet()) {
        budgets = WhatIfSurvey.find(session, known, store.store());
      }
    }
    StatusReport report =
        new StatusReport(
            session.settings(),
            List.copyOf(problems),
            List.copyOf(statuses),
            ProcessReport.of(session.settings(), session.now()),
            budgets,
            session.now());
    Writer out = session.text();
    switch (form.get()) {
      case text -> report.writeText(out);
      case json -> report.writeJson(out);
    }
    out.flush();
    List<String> all = report.allProblems();
    all.forEach(session::report);
    return all.isEmpty() ? ExitStatus.DONE : ExitStatus.INCOMPLETE;
  }
}
