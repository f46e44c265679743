package org.kblake.cli;

import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.CommandFrame;
import org.kblake.cli.frame.CommonOptions;
import org.kblake.cli.frame.Session;
import org.kblake.cli.process.ProcessEnvironment;

/** The program {@code kblake COMMAND ...}. */
public final class Kblake {

  private Kblake() {}

  /** Runs a command line and ends the JVM with its status. */
  public static void main(String[] args) {
    int status = run(ProcessEnvironment.ofProcess(), args);
    // Since JDK 21 System.exit initializes a logger first, which takes longer than many answers.
    if (status != ExitStatus.DONE) {
      System.exit(status);
    }
  }

  /**
   * Runs a command line.
   *
   * @return the exit status
   */
  public static int run(ProcessEnvironment environment, String... args) {
    CommonOptions options = new CommonOptions();
    Session session = new Session(environment, options);
    String[] line = RootCommand.withOptions(args);
    return new CommandFrame(RootCommand.of(options, session, line), session).run(line);
  }
}
