package org.kblake.benchmarks.measure;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A process that reads commands, a line each, and answers each with a line. It ends when its input
 * ends. Its messages go to standard error of this process.
 */
public final class LineProcess implements Closeable {

  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  /** Starts a process. The caller closes it. */
  public LineProcess(List<String> command) throws IOException {
    process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    commands = process.outputWriter(StandardCharsets.UTF_8);
    answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Sends a command and reads the answer.
   *
   * @return null if the process ended
   */
  public @Nullable String ask(String line) throws IOException {
    commands.write(line + "\n");
    commands.flush();
    return answer();
  }

  /**
   * Reads a line that the process writes by itself.
   *
   * @return null if the process ended
   */
  public @Nullable String answer() throws IOException {
    return answers.readLine();
  }

  /** Ends the input of the process, and waits until it has ended. */
  @Override
  public void close() throws IOException {
    commands.close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    answers.close();
  }
}
