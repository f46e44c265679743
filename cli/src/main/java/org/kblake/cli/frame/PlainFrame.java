package org.kblake.cli.frame;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.kblake.cli.error.ExitStatus;

/**
 * Runs a command that was read without picocli, with the outcome it has in {@link CommandFrame}.
 */
public final class PlainFrame {

  private PlainFrame() {}

  /**
   * Runs a command.
   *
   * @param name how messages name it
   * @return the exit status
   */
  public static int run(Session session, String name, Callable<Integer> command) {
    System.setProperty(LoggingConfigurator.LEVEL_PROPERTY, session.logLevel());
    ErrorReport report = new ErrorReport(session);
    int status;
    try {
      status = command.call();
    } catch (Exception | Error e) {
      status = report.say(e, name);
    }
    try {
      session.out().flush();
      return status;
    } catch (IOException e) {
      // After an error the same one comes here again.
      return status == ExitStatus.DONE ? report.say(e, name) : status;
    }
  }
}
