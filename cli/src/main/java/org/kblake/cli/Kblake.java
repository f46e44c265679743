package org.kblake.cli;

import java.util.Arrays;
import java.util.List;
import org.kblake.cli.command.BackfillCommand;
import org.kblake.cli.command.ChannelsCommand;
import org.kblake.cli.command.CheckCommand;
import org.kblake.cli.command.CompactCommand;
import org.kblake.cli.command.CompareCommand;
import org.kblake.cli.command.ConfigCheckCommand;
import org.kblake.cli.command.ConfigCommand;
import org.kblake.cli.command.DemoCommand;
import org.kblake.cli.command.FilesCommand;
import org.kblake.cli.command.GetCommand;
import org.kblake.cli.command.InspectCommand;
import org.kblake.cli.command.PinCommand;
import org.kblake.cli.command.RestoreCommand;
import org.kblake.cli.command.RunCommand;
import org.kblake.cli.command.SimulateCommand;
import org.kblake.cli.command.SqlCommand;
import org.kblake.cli.command.StatusCommand;
import org.kblake.cli.command.VerifyCommand;
import org.kblake.cli.frame.CommandFrame;
import org.kblake.cli.frame.CommonOptions;
import org.kblake.cli.frame.ExitStatus;
import org.kblake.cli.frame.PlainFrame;
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Surroundings;
import org.kblake.cli.frame.Version;
import org.kblake.core.model.ColdStart;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The program: {@code kblake COMMAND ...}. */
@Command(
    name = "kblake",
    header = "KEKBLog archives as columns.",
    description = {
      "",
      "Transcodes the event logs of KEKB and SuperKEKB into a store of columns, and reads both:"
          + " from columns what is there, from the raw logs what is not, with the same answer.",
      "",
      "kblake COMMAND --help tells more of each command."
    },
    synopsisHeading = "%nUsage: ",
    parameterListHeading = "%nArguments:%n",
    optionListHeading = "%nOptions:%n",
    commandListHeading = "%nCommands:%n",
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:done",
      "1:a request that cannot be answered",
      "2:wrong usage",
      "3:incomplete: a part could not be read, standard error says which",
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
public final class Kblake {

  /** All commands, as help lists them: a new one is registered here and below. */
  private static final List<String> COMMANDS =
      List.of(
          "get",
          "channels",
          "status",
          "check",
          "run",
          "backfill",
          "pin",
          "compact",
          "verify",
          "restore",
          "inspect",
          "files",
          "sql",
          "compare",
          "config",
          "simulate",
          "demo");

  private Kblake() {}

  /** Runs a command line and ends the JVM with its status. */
  public static void main(String[] args) {
    int status = run(Surroundings.ofProcess(), args);
    // System.exit would look for a logger first, which takes longer than some answers
    if (status != ExitStatus.DONE || !ColdStart.IS_COLD) {
      System.exit(status);
    }
  }

  /**
   * Runs a command line.
   *
   * @return the exit status
   */
  public static int run(Surroundings surroundings, String... args) {
    CommonOptions options = new CommonOptions();
    Session session = new Session(surroundings, options);
    if (args.length > 0 && args[0].equals("get")) {
      GetCommand get =
          GetCommand.plain(session, options, Arrays.asList(args).subList(1, args.length));
      if (get != null) {
        return PlainFrame.run(session, "kblake get", get);
      }
    }
    return new CommandFrame(commandLine(options, session, wanted(args)), session).run(args);
  }

  /** All commands as a model for manual and completion; not to be run. */
  public static CommandLine commandLine() {
    CommonOptions options = new CommonOptions();
    return commandLine(options, new Session(Surroundings.ofProcess(), options), COMMANDS);
  }

  /**
   * The commands that a command line may come to. To look into one takes longer than many an
   * answer, so where the first argument is a command there are no others: all that follows belongs
   * to it.
   */
  private static List<String> wanted(String[] args) {
    return args.length > 0 && COMMANDS.contains(args[0]) ? List.of(args[0]) : COMMANDS;
  }

  private static CommandLine commandLine(
      CommonOptions options, Session session, List<String> commands) {
    CommandLine root = new CommandLine(new Kblake()).addMixin("common", options);
    for (String name : commands) {
      root.addSubcommand(command(name, session));
    }
    return root;
  }

  private static Object command(String name, Session session) {
    return switch (name) {
      case "get" -> new GetCommand(session);
      case "channels" -> new ChannelsCommand(session);
      case "status" -> new StatusCommand(session);
      case "check" -> new CheckCommand(session);
      case "run" -> new RunCommand(session);
      case "backfill" -> new BackfillCommand(session);
      case "pin" -> new PinCommand(session);
      case "compact" -> new CompactCommand(session);
      case "verify" -> new VerifyCommand(session);
      case "restore" -> new RestoreCommand(session);
      case "inspect" -> new InspectCommand(session);
      case "files" -> new FilesCommand(session);
      case "sql" -> new SqlCommand(session);
      case "compare" -> new CompareCommand(session);
      case "config" ->
          new CommandLine(new ConfigCommand()).addSubcommand(new ConfigCheckCommand(session));
      case "simulate" -> new SimulateCommand(session);
      case "demo" -> new DemoCommand(session);
      default -> throw new IllegalArgumentException("no such command: " + name);
    };
  }
}
