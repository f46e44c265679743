package org.kblake.cli.frame;

import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.ExitStatus;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Passes errors of picocli and of commands to {@link ErrorReport}. */
final class ErrorHandler implements IExecutionExceptionHandler, IParameterExceptionHandler {

  private final Session session;
  private final ErrorReport report;

  ErrorHandler(Session session) {
    this.session = session;
    this.report = new ErrorReport(session);
  }

  @Override
  public int handleParseException(ParameterException error, String[] args) {
    String command = error.getCommandLine().getCommandSpec().qualifiedName();
    StringBuilder line = new StringBuilder(text(error));
    if (error instanceof UnmatchedArgumentException unmatched
        && !unmatched.getSuggestions().isEmpty()) {
      line.append("; did you mean ").append(String.join(" or ", unmatched.getSuggestions()));
      line.append('?');
    }
    session.reportError(command, line.append(" (").append(command).append(" --help)").toString());
    report.trace(error);
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
    int status = report.report(error, command.qualifiedName());
    // A command may have other statuses for these errors
    return switch (status) {
      case ExitStatus.WRONG_USAGE -> command.exitCodeOnInvalidInput();
      case ExitStatus.NOT_ANSWERED -> command.exitCodeOnExecutionException();
      default -> status;
    };
  }
}
