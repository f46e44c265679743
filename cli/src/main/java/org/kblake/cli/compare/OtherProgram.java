package org.kblake.cli.compare;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The program that this one is compared with, run as a process.
 *
 * @param path the program
 * @param timeout the time after which it is killed
 */
public record OtherProgram(Path path, Duration timeout) {

  /** The exit status of a program that was killed. */
  public static final int KILLED = -1;

  /**
   * Runs a request.
   *
   * @param out the file for standard output
   * @return the exit status, or {@link #KILLED}
   * @throws IOException if the program cannot be started
   */
  int run(List<String> words, Path out) throws IOException {
    List<String> command = new ArrayList<>(List.of(path.toString()));
    command.addAll(words);
    Process process =
        new ProcessBuilder(command)
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        return process.exitValue();
      }
      return KILLED;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + path + " runs");
    } finally {
      process.destroyForcibly();
    }
  }
}
