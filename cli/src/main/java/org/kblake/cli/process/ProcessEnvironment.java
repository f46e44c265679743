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
 * What a run of the program finds around itself; tests give their own.
 *
 * @param in standard input
 * @param out standard output, not buffered
 * @param err standard error
 * @param variables the environment variables
 * @param workingDirectory relative paths of the command line begin here
 * @param clock the present
 * @param outIsTerminal whether a person looks at standard output
 * @param errIsTerminal whether a person looks at standard error
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

  /** Those of this process; its launcher says in system properties what is a terminal. */
  public static ProcessEnvironment ofProcess() {
    return new ProcessEnvironment(
        System.in,
        new StandardOutput(new FileOutputStream(FileDescriptor.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        System.getenv(),
        Path.of(""),
        Clock.systemUTC(),
        Boolean.getBoolean("kblake.terminal.out"),
        Boolean.getBoolean("kblake.terminal.err"));
  }
}
