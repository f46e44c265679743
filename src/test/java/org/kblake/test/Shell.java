package org.kblake.test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Runs lines of bash as a user would, in a directory, and keeps what they print. */
final class Shell {

  /**
   * What came of a line.
   *
   * @param status the exit status
   * @param out standard output
   * @param err standard error
   */
  record Result(int status, String out, String err) {}

  private final Path directory;
  private final Map<String, String> variables = new HashMap<>();

  Shell(Path directory) {
    this.directory = directory;
  }

  /** Sets an environment variable for all lines. */
  Shell with(String variable, Object value) {
    variables.put(variable, value.toString());
    return this;
  }

  /** Runs a line with nothing on standard input. */
  Result run(String line) {
    try {
      Path out = Files.createTempFile(directory, "shell", ".out");
      Path err = Files.createTempFile(directory, "shell", ".err");
      ProcessBuilder builder =
          new ProcessBuilder("bash", "-c", line)
              .directory(directory.toFile())
              .redirectInput(Path.of("/dev/null").toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("KBLAKE_"));
      builder.environment().putAll(variables);
      int status = builder.start().waitFor();
      Result result =
          new Result(
              status,
              Files.readString(out, StandardCharsets.UTF_8),
              Files.readString(err, StandardCharsets.UTF_8));
      Files.delete(out);
      Files.delete(err);
      return result;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for: " + line, e);
    }
  }

  /** A path as one word of a line. */
  static String quoted(Object word) {
    return "'" + word.toString().replace("'", "'\\''") + "'";
  }
}
