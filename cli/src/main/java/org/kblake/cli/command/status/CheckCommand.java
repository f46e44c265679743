package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.cli.check.Check;
import org.kblake.cli.check.CheckKind;
import org.kblake.cli.check.Finding;
import org.kblake.cli.check.Health;
import org.kblake.cli.check.Severity;
import org.kblake.cli.check.Thresholds;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Values;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.run.status.StaleThresholds;
import org.kblake.core.model.NearestNames;

/** {@code kblake check}: prints the state for Nagios. */
public final class CheckCommand implements Command {

  static final int UNKNOWN = 3;

  private final Session session;
  private final CommandModel model =
      CommandModel.of("check", "Print the state in one line, for Nagios.")
          .description(
              "",
              "Reads the status of kblake run, or archive and store if it does not run. Prints one"
                  + " line with figures behind a bar. KIND is process (it runs without problems),"
                  + " stale (time since the newest event of a group, 1h and 6h), lag (time that columns are behind the log, 2h and 12h), coverage (share of"
                  + " the followed logs in columns, without evicted logs, 95%% and 80%%), disk"
                  + " (days until it is full, 30d and 7d), scrub (time since the oldest check of a"
                  + " block, 45d and 90d), hit-ratio (share of the read log that came from"
                  + " columns, no thresholds). Default: all kinds with figures; stale then has only"
                  + " the thresholds of the settings.",
              "",
              "The settings stale-warning and stale-critical in the table [run] of kblake.toml are"
                  + " the thresholds of stale for all groups, and in a table [run.group.GROUP] those"
                  + " of a group. -w and -c replace the settings for all groups, not those of a"
                  + " group.")
          .statuses("0:OK", "1:WARNING", "2:CRITICAL", "3:UNKNOWN, also after wrong usage")
          .statusOfErrors(UNKNOWN)
          .footer(
              "  kblake check",
              "  kblake check stale -w 1h -c 6h",
              "  kblake check lag -w 20m -c 1h",
              "  kblake check process disk");

  private final Values<String> kinds =
      model.arguments(String.class, "KIND", "What to check; default: all kinds with figures.");

  private final OptionalValue<String> warning =
      model.value(
          String.class,
          "THRESHOLD",
          "Threshold of a warning: a duration, or a percentage; for a single KIND.",
          "-w",
          "--warning");

  private final OptionalValue<String> critical =
      model.value(
          String.class,
          "THRESHOLD",
          "Threshold of critical: a duration, or a percentage; for a single KIND.",
          "-c",
          "--critical");

  public CheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    if ((warning.isGiven() || critical.isGiven()) && kinds.get().size() != 1) {
      throw new UsageException("-w and -c need a single KIND");
    }
    List<Finding> findings;
    try {
      findings = findings();
    } catch (IOException | RequestException e) {
      findings = List.of(new Finding(Severity.UNKNOWN, String.valueOf(e.getMessage()), ""));
    }
    try (Writer out = session.text()) {
      String line = Finding.line(findings);
      Severity worst = Finding.worst(findings);
      out.append(
          session.outIsColored()
              ? line.replaceFirst(worst.name(), SeverityColor.of(worst).of(worst.name()))
              : line);
      out.append('\n');
      return worst.status();
    }
  }

  private static CheckKind kind(String name) {
    List<String> names = Arrays.stream(CheckKind.values()).map(CheckKind::toString).toList();
    int index = names.indexOf(name);
    if (index < 0) {
      throw new UsageException(
          "no such kind: "
              + name
              + NearestNames.hint(name, names)
              + " (kinds: "
              + String.join(", ", names)
              + ")");
    }
    return CheckKind.values()[index];
  }

  private List<Finding> findings() throws IOException {
    boolean all = kinds.get().isEmpty();
    List<Thresholds> thresholds = new ArrayList<>();
    List<CheckKind> wanted =
        all ? List.of(CheckKind.values()) : kinds.get().stream().map(CheckCommand::kind).toList();
    for (CheckKind kind : wanted) {
      try {
        thresholds.add(
            all && kind == CheckKind.STALE
                ? Thresholds.of(kind, (Duration) null, null)
                : Thresholds.of(kind, warning.get(), critical.get()));
      } catch (IllegalArgumentException e) {
        throw new UsageException(String.valueOf(e.getMessage()), e);
      }
    }
    StaleThresholds ofGroups =
        new StaleThresholds(
            RunSettings.of(session.settings()), warning.isGiven() || critical.isGiven());
    Health health = new StoreHealth(session, ofGroups).find();
    List<Finding> findings = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      Finding finding = Check.of(wanted.get(i), thresholds.get(i), health);
      if (!all || finding.severity() != Severity.UNKNOWN) {
        findings.add(finding);
      }
    }
    return findings;
  }
}
