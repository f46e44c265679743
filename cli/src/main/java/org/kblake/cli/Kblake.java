package org.kblake.cli;

import java.util.Arrays;
import org.kblake.cli.command.get.GetCommand;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.frame.CommandFrame;
import org.kblake.cli.frame.CommonOptions;
import org.kblake.cli.frame.PlainFrame;
import org.kblake.cli.frame.Session;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.core.internal.start.ColdStart;

/**
 * The program: {@code kblake COMMAND ...}. Java looks at the signatures of its methods before it
 * runs, so there is nothing of picocli in them: see {@link GetCommand#plain}.
 */
public final class Kblake {

  private Kblake() {}

  /** Runs a command line and ends the JVM with its status. */
  public static void main(String[] args) {
    int status = run(ProcessEnvironment.ofProcess(), args);
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
  public static int run(ProcessEnvironment environment, String... args) {
    CommonOptions options = new CommonOptions();
    Session session = new Session(environment, options);
    if (args.length > 0 && args[0].equals("get")) {
      GetCommand get =
          GetCommand.plain(session, options, Arrays.asList(args).subList(1, args.length));
      if (get != null) {
        return PlainFrame.run(session, "kblake get", get);
      }
    }
    return new CommandFrame(RootCommand.of(options, session, args), session).run(args);
  }
}
