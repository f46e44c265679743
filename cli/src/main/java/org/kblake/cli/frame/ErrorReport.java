package org.kblake.cli.frame;

import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import org.kblake.cli.error.ClosedPipeException;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.UsageException;
import org.kblake.query.question.UnknownChannelException;

/** Reports exceptions in one line on standard error, and returns the exit status. */
final class ErrorReport {

  private final Session session;

  ErrorReport(Session session) {
    this.session = session;
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
    if (error instanceof UnknownChannelException unknown && !unknown.isCertain()) {
      session.incomplete(ErrorLine.of(error));
      trace(error);
      return ExitStatus.INCOMPLETE;
    }
    if (ErrorLine.isExpected(error)) {
      session.reportError(command, ErrorLine.of(error));
    } else if (error instanceof OutOfMemoryError) {
      session.reportError(command, "out of memory: " + ErrorLine.of(error));
    } else {
      session.reportError(
          command,
          "internal error: "
              + error.getClass().getSimpleName()
              + ": "
              + ErrorLine.of(error)
              + (session.debug() ? "" : " (--debug shows where)"));
    }
    trace(error);
    return error instanceof UsageException ? ExitStatus.WRONG_USAGE : ExitStatus.NOT_ANSWERED;
  }

  /** Prints the stack trace of an error if {@code --debug} is set. */
  void trace(Throwable error) {
    if (session.debug()) {
      error.printStackTrace(session.err());
    }
  }
}
