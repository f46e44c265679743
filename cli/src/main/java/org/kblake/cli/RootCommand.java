package org.kblake.cli;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.command.analysis.DiffCommand;
import org.kblake.cli.command.analysis.MovedCommand;
import org.kblake.cli.command.analysis.WhenCommand;
import org.kblake.cli.command.coverage.CoverageCommand;
import org.kblake.cli.command.get.BuildCommand;
import org.kblake.cli.command.get.GetCommand;
import org.kblake.cli.command.look.ChannelsCommand;
import org.kblake.cli.command.look.CompareCommand;
import org.kblake.cli.command.look.FilesCommand;
import org.kblake.cli.command.look.InspectCommand;
import org.kblake.cli.command.look.SqlCommand;
import org.kblake.cli.command.plot.PlotCommand;
import org.kblake.cli.command.serve.ServeCommand;
import org.kblake.cli.command.service.ConfigCheckCommand;
import org.kblake.cli.command.service.ConfigCommand;
import org.kblake.cli.command.service.ForgetCommand;
import org.kblake.cli.command.service.GatherCommand;
import org.kblake.cli.command.service.PinCommand;
import org.kblake.cli.command.service.RunCommand;
import org.kblake.cli.command.simulate.DemoCommand;
import org.kblake.cli.command.simulate.SimulateCommand;
import org.kblake.cli.command.status.CheckCommand;
import org.kblake.cli.command.status.DoctorCommand;
import org.kblake.cli.command.status.StatusCommand;
import org.kblake.cli.command.store.BackfillCommand;
import org.kblake.cli.command.store.CompactCommand;
import org.kblake.cli.command.store.RestoreCommand;
import org.kblake.cli.command.store.VerifyCommand;
import org.kblake.cli.extension.ExtensionCommand;
import org.kblake.cli.extension.ExtensionWord;
import org.kblake.cli.frame.Command;
import org.kblake.cli.frame.CommandModel;
import org.kblake.cli.frame.CommonOptions;
import org.kblake.cli.frame.Session;
import org.kblake.cli.process.ProcessEnvironment;
import picocli.CommandLine;
import picocli.CommandLine.ScopeType;

/** The command {@code kblake} with its subcommands. */
public final class RootCommand {

  /** The names of the commands in the order of the help. {@link #command} makes each command. */
  private static final List<String> COMMANDS =
      List.of(
          "get",
          "plot",
          "moved",
          "diff",
          "when",
          "build",
          "channels",
          "coverage",
          "status",
          "check",
          "doctor",
          "run",
          "serve",
          "gather",
          "backfill",
          "pin",
          "forget",
          "compact",
          "verify",
          "restore",
          "inspect",
          "files",
          "sql",
          "compare",
          "config",
          "simulate",
          "demo",
          "record",
          "lake",
          "export",
          "import",
          "ship");

  private RootCommand() {}

  /** Returns a model of all commands for manual pages and completion. It cannot be run. */
  public static CommandLine model() {
    CommonOptions options = new CommonOptions();
    return of(options, new Session(ProcessEnvironment.ofProcess(), options), COMMANDS, true);
  }

  /**
   * Returns the root command for a command line. Only commands that it names are registered,
   * because each takes picocli some milliseconds. The version needs no command.
   */
  static CommandLine of(CommonOptions options, Session session, String[] args) {
    List<String> needed =
        commandOf(args) == null
            ? COMMANDS
            : COMMANDS.stream().filter(List.of(args)::contains).toList();
    if (args.length == 1 && (args[0].equals("--version") || args[0].equals("-V"))) {
      needed = List.of();
    }
    // The help of the program lists the words of extensions without a search of all jars.
    return of(options, session, needed, needed.size() < COMMANDS.size());
  }

  /**
   * Returns the command of a command line, which options may precede; null if there is none, or if
   * help for the program is asked for.
   */
  static @Nullable String commandOf(String[] args) {
    for (String each : args) {
      if (COMMANDS.contains(each)) {
        return each.equals(args[0]) || args[0].startsWith("-") ? each : null;
      }
      if (each.equals("-h") || each.equals("--help")) {
        return null;
      }
    }
    return null;
  }

  /** Returns a command line with the options that the words help and version stand for. */
  static String[] withOptions(String[] args) {
    String first = args.length == 0 ? "" : args[0];
    if (first.equals("version")) {
      String[] line = args.clone();
      line[0] = "--version";
      return line;
    }
    if (!first.equals("help")) {
      return args;
    }
    String[] rest = withOptions(Arrays.copyOfRange(args, 1, args.length));
    if (rest.length > 0 && !COMMANDS.contains(rest[0])) {
      // An option has its own meaning, and the error names an unknown command
      return rest;
    }
    String[] line = Arrays.copyOf(rest, args.length);
    line[args.length - 1] = "--help";
    return line;
  }

  private static CommandLine of(
      CommonOptions options, Session session, List<String> commands, boolean searching) {
    CommandLine root = root();
    options.addTo(root);
    for (String name : commands) {
      Command command = command(name, session);
      CommandLine line =
          command instanceof ExtensionCommand extension
              ? line(extension, searching)
              : line(command);
      if (name.equals("config")) {
        line.addSubcommand(line(new ConfigCheckCommand(session)));
      }
      root.addSubcommand(line);
    }
    return root;
  }

  private static CommandLine line(ExtensionCommand extension, boolean searching) {
    if (searching) {
      extension.search();
    }
    Command whole = extension.whole();
    if (whole != null) {
      return line(whole);
    }
    CommandLine line = line((Command) extension);
    extension.below().forEach(each -> line.addSubcommand(line(each)));
    // Then the word tells that its commands are missing, whatever follows.
    line.setUnmatchedArgumentsAllowed(extension.below().isEmpty());
    return line;
  }

  private static CommandLine root() {
    CommandLine root =
        CommandModel.of("kblake", "KEKBLog archives as columns.")
            .description(
                "",
                "Transcodes the event logs of KEKB and SuperKEKB into a store of columns. Reads"
                    + " columns where the store has them, and raw logs otherwise. Both give the"
                    + " same answer.",
                "",
                "kblake help COMMAND and kblake COMMAND --help describe a command.")
            .statuses(
                "0:done",
                "1:the request cannot be answered",
                "2:wrong usage",
                "3:incomplete: standard error lists what could not be read",
                "130:stopped by Ctrl-C")
            .footer(
                "  kblake demo --keep=kblake-demo && cd kblake-demo",
                "  kblake channels -l 'VALCCG:*'",
                "  kblake help channels")
            .line(null);
    // A directory may have the name of a command.
    root.getCommandSpec().parser().allowSubcommandsAsOptionParameters(true);
    root.getCommandSpec()
        // Headings and statuses are also those of subcommands.
        .scopeType(ScopeType.INHERIT)
        .usageMessage()
        .synopsisHeading("%nUsage: ")
        .parameterListHeading("%nArguments:%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .exitCodeListHeading("%nExit status:%n")
        .footerHeading("%nExamples, in the directory of kblake demo --keep:%n")
        .sortOptions(false)
        .autoWidth(false);
    return root;
  }

  private static CommandLine line(Command command) {
    return command.model().line(command);
  }

  private static Command command(String name, Session session) {
    return switch (name) {
      case "get" -> new GetCommand(session);
      case "plot" -> new PlotCommand(session);
      case "moved" -> new MovedCommand(session);
      case "diff" -> new DiffCommand(session);
      case "when" -> new WhenCommand(session);
      case "build" -> new BuildCommand(session);
      case "channels" -> new ChannelsCommand(session);
      case "coverage" -> new CoverageCommand(session);
      case "status" -> new StatusCommand(session);
      case "check" -> new CheckCommand(session);
      case "doctor" -> new DoctorCommand(session);
      case "run" -> new RunCommand(session);
      case "serve" -> new ServeCommand(session);
      case "gather" -> new GatherCommand(session);
      case "backfill" -> new BackfillCommand(session);
      case "pin" -> new PinCommand(session);
      case "forget" -> new ForgetCommand(session);
      case "compact" -> new CompactCommand(session);
      case "verify" -> new VerifyCommand(session);
      case "restore" -> new RestoreCommand(session);
      case "inspect" -> new InspectCommand(session);
      case "files" -> new FilesCommand(session);
      case "sql" -> new SqlCommand(session);
      case "compare" -> new CompareCommand(session);
      case "config" -> new ConfigCommand(session);
      case "simulate" -> new SimulateCommand(session);
      case "demo" -> new DemoCommand(session);
      default -> extension(name, session);
    };
  }

  private static Command extension(String name, Session session) {
    ExtensionWord word = ExtensionWord.of(name);
    if (word == null) {
      throw new IllegalArgumentException(name);
    }
    return new ExtensionCommand(word, session);
  }
}
