package org.kblake.cli.frame;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.kblake.cli.error.ExitStatus;

/**
 * Runs a command that was parsed without picocli, with the same results as {@link CommandFrame}.
 */
public final class PlainFrame {

  private PlainFrame() {}

  /**
   * Runs a command.
   *
   * @param name the command's name for messages
   * @return the exit status
   */
  public static int run(Session session, String name, Callable<Integer> command) {
    System.setProperty(LoggingConfigurator.LEVEL_PROPERTY, session.logLevel());
    ErrorReport report = new ErrorReport(session);
    int status;
    try {
      status = command.call();
    } catch (Exception | Error e) {
      status = report.report(e, name);
    }
    try {
      session.out().flush();
      return status;
    } catch (IOException e) {
      // After an error, the flush only fails with the same error again
      return status == ExitStatus.DONE ? report.report(e, name) : status;
    }
  }
}
