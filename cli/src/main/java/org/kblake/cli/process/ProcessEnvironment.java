package org.kblake.cli.process;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * The environment of a run of the program. Tests supply their own.
 *
 * @param in standard input
 * @param out standard output, not buffered
 * @param err standard error
 * @param variables the environment variables
 * @param workingDirectory the directory in which relative paths of the command line are resolved
 * @param clock the clock of the present time
 * @param outIsTerminal whether standard output is a terminal
 * @param errIsTerminal whether standard error is a terminal
 */
public record ProcessEnvironment(
    InputStream in,
    OutputStream out,
    PrintStream err,
    Map<String, String> variables,
    Path workingDirectory,
    Clock clock,
    boolean outIsTerminal,
    boolean errIsTerminal) {

  static final String ERR_IS_TERMINAL = "kblake.terminal.err";

  /** Returns the environment of this process. The launcher sets system properties for terminals. */
  public static ProcessEnvironment ofProcess() {
    return new ProcessEnvironment(
        System.in,
        new StandardOutput(new FileOutputStream(FileDescriptor.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of(""),
        Clock.systemUTC(),
        Boolean.getBoolean("kblake.terminal.out"),
        Boolean.getBoolean(ERR_IS_TERMINAL));
  }
}
