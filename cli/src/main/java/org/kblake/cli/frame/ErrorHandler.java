package org.kblake.cli.frame;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns every exception into one line on standard error and an exit status. */
final class ErrorHandler implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private final Session session;

  ErrorHandler(Session session) {
    this.session = session;
  }

  @Override
  public int handleParseException(ParameterException error, String[] args) {
    String command = error.getCommandLine().getCommandSpec().qualifiedName();
    StringBuilder line = new StringBuilder(command).append(": ").append(text(error));
    if (error instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      line.append("; did you mean ").append(String.join(" or ", unmatched.getSuggestions()));
      line.append('?');
    }
    session.complain(line.append(" (").append(command).append(" --help)").toString());
    trace(error);
    return error.getCommandLine().getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String text(ParameterException error) {
    boolean hasCommands = !error.getCommandLine().getSubcommands().isEmpty();
    if (error instanceof UnmatchedArgumentException unmatched && !unmatched.isUnknownOption()) {
      String first = unmatched.getUnmatched().get(0);
      return (hasCommands ? "no such command: " : "one argument too many: ") + first;
    }
    return ErrorLine.of(error);
  }

  @Override
  public int handleExecutionException(
      Exception error, CommandLine commandLine, ParseResult parseResult) {
    CommandSpec command = commandLine.getCommandSpec();
    int status = report(error, command.qualifiedName());
    // A command may have statuses of its own for these.
    return switch (status) {
      case ExitStatus.WRONG_USAGE -> command.exitCodeOnInvalidInput();
      case ExitStatus.NOT_ANSWERED -> command.exitCodeOnExecutionException();
      default -> status;
    };
  }

  /**
   * Reports an error that ended a command.
   *
   * @return the exit status
   */
  int report(Throwable error, String command) {
    if (error instanceof ClosedPipeException) {
      return ExitStatus.DONE;
    }
    if (error instanceof InterruptedException
        || error instanceof InterruptedIOException
        || error instanceof ClosedByInterruptException) {
      return ExitStatus.INTERRUPTED;
    }
    if (ErrorLine.isExpected(error)) {
      session.complain(command + ": " + ErrorLine.of(error));
    } else if (error instanceof OutOfMemoryError) {
      session.complain(command + ": out of memory: " + ErrorLine.of(error));
    } else {
      session.complain(
          command
              + ": internal error: "
              + error.getClass().getSimpleName()
              + ": "
              + ErrorLine.of(error)
              + (session.debug() ? "" : " (--debug shows where)"));
    }
    trace(error);
    return error instanceof UsageException ? ExitStatus.WRONG_USAGE : ExitStatus.NOT_ANSWERED;
  }

  private void trace(Throwable error) {
    if (session.debug()) {
      error.printStackTrace(session.surroundings().err());
    }
  }
}
