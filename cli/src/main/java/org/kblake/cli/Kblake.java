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
 * The program {@code kblake COMMAND ...}. Its method signatures use no type of picocli: the JVM
 * resolves them before {@code main} runs. See {@link GetCommand#plain}.
 */
public final class Kblake {

  private Kblake() {}

  /** Runs a command line and ends the JVM with its status. */
  public static void main(String[] args) {
    if (isGet(args)) {
      // Most answers are complete before the JVM has optimised any code.
      ColdStart.expect();
    }
    int status = run(ProcessEnvironment.ofProcess(), args);
    // System.exit initializes a logger first, which takes longer than many answers.
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
    if (isGet(args)) {
      GetCommand get =
          GetCommand.plain(session, options, Arrays.asList(args).subList(1, args.length));
      if (get != null) {
        return PlainFrame.run(session, "kblake get", get);
      }
    }
    return new CommandFrame(RootCommand.of(options, session, args), session).run(args);
  }

  private static boolean isGet(String... args) {
    return args.length > 0 && args[0].equals("get");
  }
}
