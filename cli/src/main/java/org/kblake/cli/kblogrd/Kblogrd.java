package org.kblake.cli.kblogrd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.util.Map;
import org.kblake.cli.error.ClosedPipeException;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.error.ExitStatus;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Release;
import org.kblake.cli.kblogrd.format.LineOutput;
import org.kblake.cli.kblogrd.request.Arguments;
import org.kblake.cli.kblogrd.request.KblogrdRequest;
import org.kblake.cli.process.ProcessEnvironment;
import org.kblake.cli.process.TerminalOutput;
import org.kblake.cli.settings.Settings;
import org.kblake.core.archive.UnavailableException;

/** The program {@code kblogrd}: one request, one answer. */
public final class Kblogrd {

  private static final String HELP =
      "Usage: "
          + Arguments.USAGE
          + """


          Prints events or values of a group's records from a KEKBLog archive.

            -r  names of records; a name that ends in - is a regular expression. Default: all
            -t  times yyyymmddhhmmss (8, 10, 12 or 14 digits) in the archive's time zone:
                  START-END    the events from START to the end of the second END
                  START-       up to now
                  START        the values held at START
                  ...dN        the values held at START, START+N s, ... END
                Default: all events of the newest readable pair
            -f  free (one line per event), kaleida (table), sad (SADScript list), csv

          KBLAKE_ARCHIVE, KBLAKE_STORE and KBLAKE_ZONE name archive, store and time zone,
          or kblake.toml does.
          Exit status: 0 done, 1 unknown record or group, 2 wrong usage, 3 a part cannot be read.
          """;

  private Kblogrd() {}

  /** The shutdown hook, which runs when a signal ends the process. */
  private static final class Stop extends Thread {
    private final LineOutput out;

    Stop(LineOutput out) {
      super("kblogrd-stop");
      this.out = out;
    }

    @Override
    public void run() {
      out.stop();
    }
  }

  /** Runs a command line and ends the JVM with its status. */
  public static void main(String[] args) {
    ProcessEnvironment environment = ProcessEnvironment.ofProcess();
    int status = run(environment, stoppable(environment), args);
    // Since JDK 21 System.exit initializes a logger first, which takes longer than some answers
    Runtime.getRuntime().halt(status);
  }

  /** Returns the process's output. A signal ends it between two lines. */
  public static LineOutput stoppable(ProcessEnvironment environment) {
    LineOutput out = output(environment);
    Runtime.getRuntime().addShutdownHook(new Stop(out));
    return out;
  }

  private static LineOutput output(ProcessEnvironment environment) {
    return new LineOutput(
        environment.outIsTerminal()
            ? new TerminalOutput(environment.out(), true)
            : environment.out());
  }

  /**
   * Runs a command line.
   *
   * @return the exit status
   */
  public static int run(ProcessEnvironment environment, String... args) {
    return run(environment, output(environment), args);
  }

  private static int run(ProcessEnvironment environment, LineOutput out, String... args) {
    Messages messages =
        new Messages(
            environment.errIsTerminal()
                ? TerminalOutput.lines(environment.err(), true)
                : environment.err());
    try {
      int status = answer(environment, out, messages, args);
      out.flush();
      return status;
    } catch (ClosedPipeException e) {
      return ExitStatus.DONE;
    } catch (UsageException e) {
      messages.print(String.valueOf(e.getMessage()));
      return ExitStatus.WRONG_USAGE;
    } catch (UnavailableException e) {
      messages.print("incomplete: " + Messages.of(e));
      return ExitStatus.INCOMPLETE;
    } catch (IOException e) {
      messages.print(Messages.of(e));
      return ExitStatus.NOT_ANSWERED;
    } catch (InvalidPathException | RequestException e) {
      messages.print(ErrorLine.of(e));
      return ExitStatus.NOT_ANSWERED;
    } catch (OutOfMemoryError e) {
      messages.print("out of memory: give the JVM more with KBLAKE_JAVA_OPTS=-Xmx512m");
      return ExitStatus.NOT_ANSWERED;
    } catch (RuntimeException e) {
      messages.print("internal error: " + e);
      return ExitStatus.NOT_ANSWERED;
    }
  }

  private static int answer(
      ProcessEnvironment environment, LineOutput out, Messages messages, String... args)
      throws IOException {
    Arguments arguments = Arguments.parse(args);
    if (arguments.isForHelp() || arguments.isForVersion()) {
      String text = arguments.isForHelp() ? HELP.stripTrailing() : "kblogrd " + Release.version();
      out.text().put(text.getBytes(StandardCharsets.UTF_8));
      out.endLine();
      return ExitStatus.DONE;
    }
    Settings settings = Settings.resolve(Map.of(), null, environment);
    KblogrdRequest request = arguments.request(settings.zone(), environment.clock().instant());
    try (ArchiveSelection archive = ArchiveSelection.open(settings, messages)) {
      return new AnswerPrinter(archive, request, out, messages).run();
    }
  }
}
