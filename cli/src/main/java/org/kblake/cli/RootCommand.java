package org.kblake.cli;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.kblake.cli.command.get.GetCommand;
import org.kblake.cli.command.look.ChannelsCommand;
import org.kblake.cli.command.look.CompareCommand;
import org.kblake.cli.command.look.FilesCommand;
import org.kblake.cli.command.look.InspectCommand;
import org.kblake.cli.command.look.SqlCommand;
import org.kblake.cli.command.service.ConfigCheckCommand;
import org.kblake.cli.command.service.ConfigCommand;
import org.kblake.cli.command.service.PinCommand;
import org.kblake.cli.command.service.RunCommand;
import org.kblake.cli.command.simulate.DemoCommand;
import org.kblake.cli.command.simulate.SimulateCommand;
import org.kblake.cli.command.status.CheckCommand;
import org.kblake.cli.command.status.StatusCommand;
import org.kblake.cli.command.store.BackfillCommand;
import org.kblake.cli.command.store.CompactCommand;
import org.kblake.cli.command.store.RestoreCommand;
import org.kblake.cli.command.store.VerifyCommand;
import org.kblake.cli.frame.CommonOptions;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Version;
import org.kblake.cli.process.ProcessEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** {@code kblake} itself, and all commands below it. */
@Command(
    name = "kblake",
    header = "KEKBLog archives as columns.",
    description = {
      "",
      "Transcodes the event logs of KEKB and SuperKEKB into a store of columns. Reads columns"
          + " where the store has them, and raw logs otherwise. Both give the same answer.",
      "",
      "kblake COMMAND --help describes each command."
    },
    synopsisHeading = "%nUsage: ",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:the request cannot be answered",
      "2:wrong usage",
      "3:incomplete: standard error lists what could not be read",
      "130:stopped by Ctrl-C"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  kblake channels -l 'VA_CCG:*'",
      "  kblake channels --help",
    },
    sortOptions = false,
    usageHelpAutoWidth = false,
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT)
public final class RootCommand {

  /** As help lists them: a new one is registered here. */
  private static final Map<String, Function<Session, Object>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("get", GetCommand::new);
    COMMANDS.put("channels", ChannelsCommand::new);
    COMMANDS.put("status", StatusCommand::new);
    COMMANDS.put("check", CheckCommand::new);
    COMMANDS.put("run", RunCommand::new);
    COMMANDS.put("backfill", BackfillCommand::new);
    COMMANDS.put("pin", PinCommand::new);
    COMMANDS.put("compact", CompactCommand::new);
    COMMANDS.put("verify", VerifyCommand::new);
    COMMANDS.put("restore", RestoreCommand::new);
    COMMANDS.put("inspect", InspectCommand::new);
    COMMANDS.put("files", FilesCommand::new);
    COMMANDS.put("sql", SqlCommand::new);
    COMMANDS.put("compare", CompareCommand::new);
    COMMANDS.put(
        "config",
        session ->
            new CommandLine(new ConfigCommand()).addSubcommand(new ConfigCheckCommand(session)));
    COMMANDS.put("simulate", SimulateCommand::new);
    COMMANDS.put("demo", DemoCommand::new);
  }

  private RootCommand() {}

  /** All commands as a model for manual and completion; not to be run. */
  public static CommandLine model() {
    CommonOptions options = new CommonOptions();
    return of(options, new Session(ProcessEnvironment.ofProcess(), options), COMMANDS.keySet());
  }

  /**
   * The commands that a command line may come to. To look into one takes longer than many an
   * answer, so where the first argument is a command there are no others: all that follows belongs
   * to it.
   */
  static CommandLine of(CommonOptions options, Session session, String[] args) {
    boolean isNamed = args.length > 0 && COMMANDS.containsKey(args[0]);
    return of(options, session, isNamed ? List.of(args[0]) : COMMANDS.keySet());
  }

  private static CommandLine of(
      CommonOptions options, Session session, Collection<String> commands) {
    CommandLine root = new CommandLine(new RootCommand()).addMixin("common", options);
    COMMANDS.forEach(
        (name, command) -> {
          if (commands.contains(name)) {
            root.addSubcommand(command.apply(session));
          }
        });
    return root;
  }
}
