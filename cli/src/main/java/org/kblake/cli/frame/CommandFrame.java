package org.kblake.cli.frame;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.process.LibraryLog;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionStrategy;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

/** The common frame of all commands: help and error reports. It runs command lines. */
public final class CommandFrame {

  private final Session session;
  private final ErrorReport report;
  private final CommandLine root;

  /**
   * Sets up a tree of commands.
   *
   * @param root the program with all its commands
   */
  public CommandFrame(CommandLine root, Session session) {
    this.session = session;
    this.report = new ErrorReport(session);
    this.root = root;
    ErrorHandler errors = new ErrorHandler(session);
    root.setExecutionExceptionHandler(errors)
        .setParameterExceptionHandler(errors)
        .setExecutionStrategy(new Execution())
        // @FILE is a condition of kblake when.
        .setExpandAtFiles(false)
        .setOut(new PrintWriter(session.unfiltered(), false, StandardCharsets.UTF_8))
        .setErr(new PrintWriter(session.err(), true, StandardCharsets.UTF_8));
  }

  /**
   * Runs a command line.
   *
   * @return the exit status
   */
  public int run(String... args) {
    int status;
    try {
      status = root.execute(args);
    } catch (Error e) {
      status = report.report(e, root.getCommandName());
    }
    try {
      root.getOut().flush();
      session.out().flush();
      return status;
    } catch (IOException e) {
      // After an error, the flush only fails with the same error again
      return status == ExitStatus.DONE ? report.report(e, root.getCommandName()) : status;
    }
  }

  /** Runs the command of a parsed command line, or prints help or version. */
  private final class Execution implements IExecutionStrategy {

    @Override
    public int execute(ParseResult parsed) {
      LibraryLog.select(session.logLevel());
      boolean help = false;
      boolean version = false;
      for (CommandLine each : parsed.asCommandLineList()) {
        help |= each.isUsageHelpRequested();
        version |= each.isVersionHelpRequested();
        // It is set here, because picocli calls the version provider of the program when it adds a
        // command.
        each.getCommandSpec().versionProvider(new Version());
        session.begin(each.getCommandSpec().qualifiedName());
      }
      if (help) {
        new HelpLayout(session, root).prepare(parsed.asCommandLineList());
      } else if (!version && !parsed.hasSubcommand()) {
        return shortHelp();
      }
      return new RunLast().execute(parsed);
    }
  }

  /** Prints the usual commands where one is missing, on a screen of 24 lines. */
  private int shortHelp() {
    CommandLine.Help help =
        new CommandLine.Help(
            root.getCommandSpec(), CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    Map<String, CommandLine.Help> usual = new LinkedHashMap<>(help.subcommands());
    usual
        .keySet()
        .removeAll(
            Set.of(
                "inspect", "files", "compare", "diff", "build", "record", "gather", "lake",
                "export", "import", "ship"));
    String name = root.getCommandName();
    "Usage: %s [OPTIONS] COMMAND%n%s%s"
        .formatted(
            name,
            help.commandList(usual),
            name + " help COMMAND describes a command. " + name + " help lists them all.")
        .lines()
        .forEach(session::report);
    return root.getCommandSpec().exitCodeOnInvalidInput();
  }
}
