package org.kblake.cli;

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
import org.kblake.cli.frame.Session;
import org.kblake.cli.frame.Surroundings;
import org.kblake.cli.frame.Version;
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

  private Kblake() {}

  /** Runs a command line and ends the JVM with its status. */
  public static void main(String[] args) {
    System.exit(run(Surroundings.ofProcess(), args));
  }

  /**
   * Runs a command line.
   *
   * @return the exit status
   */
  public static int run(Surroundings surroundings, String... args) {
    CommonOptions options = new CommonOptions();
    Session session = new Session(surroundings, options);
    return new CommandFrame(commandLine(options, session), session).run(args);
  }

  /** All commands as a model for manual and completion; not to be run. */
  public static CommandLine commandLine() {
    CommonOptions options = new CommonOptions();
    return commandLine(options, new Session(Surroundings.ofProcess(), options));
  }

  /** The whole program: a new command is registered here. */
  private static CommandLine commandLine(CommonOptions options, Session session) {
    return new CommandLine(new Kblake())
        .addMixin("common", options)
        .addSubcommand(new GetCommand(session))
        .addSubcommand(new ChannelsCommand(session))
        .addSubcommand(new StatusCommand(session))
        .addSubcommand(new CheckCommand(session))
        .addSubcommand(new RunCommand(session))
        .addSubcommand(new BackfillCommand(session))
        .addSubcommand(new PinCommand(session))
        .addSubcommand(new CompactCommand(session))
        .addSubcommand(new VerifyCommand(session))
        .addSubcommand(new RestoreCommand(session))
        .addSubcommand(new InspectCommand(session))
        .addSubcommand(new FilesCommand(session))
        .addSubcommand(new SqlCommand(session))
        .addSubcommand(new CompareCommand(session))
        .addSubcommand(
            new CommandLine(new ConfigCommand()).addSubcommand(new ConfigCheckCommand(session)))
        .addSubcommand(new SimulateCommand(session))
        .addSubcommand(new DemoCommand(session));
  }
}
