package org.kblake.test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.Kblake;

/** The program as a process of its own, for what cannot be seen from inside. */
final class KblakeProcess {

  /** A shell's background jobs ignore SIGINT, and so would what they start. */
  private static final List<String> INTERRUPTIBLE =
      runs("env", "--default-signal=INT", "true")
          ? List.of("env", "--default-signal=INT")
          : List.of();

  private KblakeProcess() {}

  private static boolean runs(String... command) {
    try {
      return new ProcessBuilder(command).start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * A shell function {@code kblake} that runs the classes under test, as a line of bash.
   *
   * @param options more options for the JVM
   */
  static String function(String... options) {
    StringBuilder line = new StringBuilder("kblake() { ");
    for (String word : command(options)) {
      line.append(Shell.quoted(word)).append(' ');
    }
    return line.append("\"$@\"; }; ").toString();
  }

  /**
   * A shell function {@code background} for what is to be killed later: of {@code kblake &} the
   * shell only would be.
   */
  static String backgroundFunction() {
    return function().replace("kblake() { ", "background() { exec ");
  }

  /** Starts a command; standard error goes to a file, standard output nowhere. */
  static Process start(Path directory, Path err, String... args) throws IOException {
    return start(List.of(), directory, err, args);
  }

  /** As above, with options for the JVM. */
  static Process start(List<String> options, Path directory, Path err, String... args)
      throws IOException {
    return start(options, directory, ProcessBuilder.Redirect.DISCARD, err, args);
  }

  /** As above, with a place for standard output. */
  static Process start(
      List<String> options, Path directory, ProcessBuilder.Redirect out, Path err, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(INTERRUPTIBLE);
    command.addAll(command(options.toArray(new String[0])));
    command.addAll(List.of(args));
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectOutput(out)
        .redirectError(err.toFile())
        .start();
  }

  private static List<String> command(String... options) {
    return ChildJvm.command(Kblake.class, List.of(options));
  }
}
