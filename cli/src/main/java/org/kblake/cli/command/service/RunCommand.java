package org.kblake.cli.command.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.Flag;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.frame.TableOptions;
import org.kblake.cli.run.RunProcess;
import org.kblake.cli.run.follow.RunPlan;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;

/** {@code kblake run}: keeps a store complete while its archive grows. */
public final class RunCommand implements Command {

  private final Session session;
  private final CommandModel model =
      CommandModel.of("run", "Follow an archive: keep its columns complete, until stopped.")
          .description(
              "",
              "Puts whole segments of log into columns soon after they end, and everything that is"
                  + " missing. Compares new blocks with their logs again. Creates the store if"
                  + " there is none. It may be stopped or killed at any moment: the next start"
                  + " continues there. Readers need it for speed only.",
              "",
              "Logs its work on standard error, one line per event. The table [run] of kblake.toml"
                  + " has its settings (kblake config check shows all of them). SIGHUP makes it"
                  + " read them again. With listen = \"HOST:PORT\" it answers /metrics, /health"
                  + " and /ready. kblake status and kblake check show its state.",
              "",
              "A store has one writer at a time. A second process names the first one and ends, or"
                  + " waits with --standby.")
          .footer(
              "  kblake run",
              "  kblake run --standby",
              "  kblake run --mirror mirror",
              "  kblake run -g VA/CCG --threads 1 --memory 128M --io-limit 40MB");

  private final GroupOption groups = new GroupOption(model);

  private final TableOptions options = model.table(RunSetting.TABLE);

  private final Flag standby =
      model.flag(
          "If another process has locked the store, wait, and take over when it ends.",
          "--standby");

  public RunCommand(Session session) {
    this.session = session;
  }

  @Override
  public CommandModel model() {
    return model;
  }

  @Override
  public Integer call() throws IOException {
    return Stoppable.runToItsEnd(
        session,
        "columns written so far stay",
        () -> {
          try {
            RunProcess.run(
                this::plan,
                standby.isSet(),
                session.quiet(),
                session.err(),
                session.environment().clock(),
                session.environment().variables());
            return ExitStatus.DONE;
          } catch (InterruptedException e) {
            // The log reports it
            return ExitStatus.INTERRUPTED;
          }
        });
  }

  /** Reads the settings. The process calls this at its start and after SIGHUP. */
  private RunPlan plan() throws IOException {
    List<String> problems = new ArrayList<>();
    Settings settings = session.readSettings(null, problems::add);
    RunSettings run = RunSettings.of(settings, options.given(), problems::add);
    if (!problems.isEmpty()) {
      throw new UsageException(String.join("; ", problems));
    }
    Archive archive =
        Archive.unchecked(settings.archive(), settings.archiveSettings(), FileAccess.WAITING);
    return new RunPlan(
        archive,
        settings.store(),
        ExpectedStore.of(archive, ExpectedStore.profile(settings.store(), null)),
        groups.named(),
        run);
  }
}
