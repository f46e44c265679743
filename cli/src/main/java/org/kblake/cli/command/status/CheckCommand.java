package org.kblake.cli.command.status;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.check.Check;
import org.kblake.cli.check.CheckKind;
import org.kblake.cli.check.Finding;
import org.kblake.cli.check.Health;
import org.kblake.cli.check.Severity;
import org.kblake.cli.check.Thresholds;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.core.internal.names.NearestNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kblake check}: prints the state for Nagios. */
@Command(
    name = "check",
    header = "Print the state in one line, for Nagios.",
    description = {
      "",
      "Reads the status of kblake run, or archive and store if it does not run. Prints one line"
          + " with figures behind a bar. KIND is process (it runs without problems), lag (time"
          + " that columns are behind the log, 2h and 12h), coverage (share of the followed logs"
          + " in columns, without evicted logs, 95%% and 80%%), disk (days until it is full, 30d"
          + " and 7d), scrub (time since the oldest check of a block, 45d and 90d), hit-ratio"
          + " (share of the read log that came from columns, no thresholds). Default: all kinds with figures.",
    },
    exitCodeList = {"0:OK", "1:WARNING", "2:CRITICAL", "3:UNKNOWN, also after wrong usage"},
    exitCodeOnInvalidInput = CheckCommand.UNKNOWN,
    exitCodeOnExecutionException = CheckCommand.UNKNOWN,
    footer = {"  kblake check", "  kblake check lag -w 20m -c 1h", "  kblake check process disk"})
public final class CheckCommand implements Callable<Integer> {

  static final int UNKNOWN = 3;

  private final Session session;

  @Parameters(
      arity = "0..*",
      paramLabel = "KIND",
      description = "What to check; default: all kinds with figures.")
  private List<String> kinds = new ArrayList<>();

  @Option(
      names = {"-w", "--warning"},
      paramLabel = "THRESHOLD",
      description = "Threshold of a warning: a duration, or a percentage; for a single KIND.")
  private @Nullable String warning;

  @Option(
      names = {"-c", "--critical"},
      paramLabel = "THRESHOLD",
      description = "Threshold of critical: a duration, or a percentage; for a single KIND.")
  private @Nullable String critical;

  public CheckCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws IOException {
    if ((warning != null || critical != null) && kinds.size() != 1) {
      throw new UsageException("-w and -c need a single KIND");
    }
    List<Finding> findings;
    try {
      findings = findings();
    } catch (IOException | RequestException e) {
      findings = List.of(new Finding(Severity.UNKNOWN, String.valueOf(e.getMessage()), ""));
    }
    try (Writer out = session.text()) {
      out.append(Finding.line(findings)).append('\n');
    }
    return Finding.worst(findings).status();
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
    boolean all = kinds.isEmpty();
    List<Thresholds> thresholds = new ArrayList<>();
    List<CheckKind> wanted =
        all ? List.of(CheckKind.values()) : kinds.stream().map(CheckCommand::kind).toList();
    for (CheckKind kind : wanted) {
      try {
        thresholds.add(Thresholds.of(kind, warning, critical));
      } catch (IllegalArgumentException e) {
        throw new UsageException(String.valueOf(e.getMessage()), e);
      }
    }
    Health health = new StoreHealth(session).find();
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
