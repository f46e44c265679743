package org.kblake.cli.command.service;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.shared.ExpectedStore;
import org.kblake.cli.command.shared.GroupOption;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Stoppable;
import org.kblake.cli.run.RunProcess;
import org.kblake.cli.run.follow.RunPlan;
import org.kblake.cli.run.settings.RunSetting;
import org.kblake.cli.run.settings.RunSettings;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code kblake run}: keeps a store complete while its archive grows. */
@Command(
    name = "run",
    header = "Follow an archive: keep its columns complete, until stopped.",
    description = {
      "",
      "Puts whole segments of log into columns soon after they end, and everything that is"
          + " missing. Compares new blocks with their logs again. Creates the store if there is"
          + " none. It may be stopped or killed at any moment: the next start continues there."
          + " Readers need it for speed only.",
      "",
      "Logs its work on standard error, one line per event. The table [run] of kblake.toml has"
          + " its settings (kblake config check shows all of them). SIGHUP makes it read them"
          + " again. With listen = \"HOST:PORT\" it answers /metrics, /health and /ready. kblake"
          + " status and kblake check show its state.",
      "",
      "A store has one writer at a time. A second process names the first one and ends, or waits"
          + " with --standby."
    },
    footer = {
      "  kblake run",
      "  kblake run --standby",
      "  kblake run --mirror mirror",
      "  kblake run -g VA/CCG --threads 1 --memory 128M --io-limit 40MB"
    })
public final class RunCommand implements Callable<Integer> {

  private final Session session;

  @Mixin private final GroupOption groups = new GroupOption();

  @Option(
      names = "--poll",
      paramLabel = "DURATION",
      description = "Interval between looks at the files; default: 1s.")
  private @Nullable String poll;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of cores to use; default: 2.")
  private @Nullable String threads;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      description = "Memory for events that become columns; default: 256M.")
  private @Nullable String memory;

  @Option(
      names = "--io-limit",
      paramLabel = "SIZE",
      description = "Limit of bytes per second that are read from the archive; default: no limit.")
  private @Nullable String ioLimit;

  @Option(
      names = "--mirror",
      paramLabel = "DIR",
      description =
          "Copy growing logs to this directory on a local disk, so that readers need not wait"
              + " for the archive.")
  private @Nullable String mirror;

  @Option(
      names = "--standby",
      description = "If another process has locked the store, wait, and take over when it ends.")
  private boolean standby;

  public RunCommand(Session session) {
    this.session = session;
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
                standby,
                session.quiet(),
                session.environment().err(),
                session.environment().clock());
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
    RunSettings run = RunSettings.of(settings, options(), problems::add);
    if (!problems.isEmpty()) {
      throw new UsageException(String.join("; ", problems));
    }
    Archive archive =
        Archive.unseen(settings.archive(), settings.archiveSettings(), FileAccess.WAITING);
    return new RunPlan(
        archive,
        settings.store(),
        ExpectedStore.of(archive, ExpectedStore.profile(settings.store(), null)),
        groups.named(),
        run);
  }

  private Map<RunSetting, String> options() {
    Map<RunSetting, String> given = new EnumMap<>(RunSetting.class);
    putIfGiven(given, RunSetting.POLL, poll);
    putIfGiven(given, RunSetting.THREADS, threads);
    putIfGiven(given, RunSetting.MEMORY, memory);
    putIfGiven(given, RunSetting.IO_LIMIT, ioLimit);
    putIfGiven(given, RunSetting.MIRROR, mirror);
    return given;
  }

  private static void putIfGiven(
      Map<RunSetting, String> given, RunSetting setting, @Nullable String value) {
    if (value != null) {
      given.put(setting, value);
    }
  }
}
