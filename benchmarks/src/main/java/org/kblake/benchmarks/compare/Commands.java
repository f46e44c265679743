package org.kblake.benchmarks.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.cli.Kblake;

/** Whole commands. */
final class Commands {

  private static final long LOOK_MILLIS = 10;

  private Commands() {}

  /**
   * The command line of kblake, as users start it; for the smallest size the classes at hand in a
   * JVM, since nothing is built then.
   */
  static List<String> kblake(Size size, String... words) {
    List<String> command = new ArrayList<>();
    if (size == Size.TINY) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Kblake.class.getName()));
    } else {
      command.add(Path.of("../bin/kblake").toAbsolutePath().normalize().toString());
    }
    command.addAll(List.of(words));
    return command;
  }

  /**
   * Starts a command; what it prints goes nowhere, but for errors.
   *
   * @param environment variables of its environment, besides those that are there
   */
  static Process start(List<String> command, Map<String, String> environment) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  /**
   * Runs a command to its end.
   *
   * @throws IOException if it does not end well
   */
  static void run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    end(command, start(command, environment));
  }

  /** As above, with variables of the environment. */
  static void run(List<String> command) throws IOException, InterruptedException {
    run(command, Map.of());
  }

  /** Runs a command to its end, and tells the most anonymous memory that it was seen with, MiB. */
  static double peakMebibytes(List<String> command) throws IOException, InterruptedException {
    Process process = start(command, Map.of());
    Path status = Path.of("/proc/" + process.pid() + "/status");
    double peak = 0;
    while (!process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
      peak = Math.max(peak, anonymousKibibytes(status) / 1024);
    }
    end(command, process);
    return peak;
  }

  private static double anonymousKibibytes(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
          .sum();
    } catch (IOException e) {
      // It has just ended.
      return 0;
    }
  }

  private static void end(List<String> command, Process process)
      throws IOException, InterruptedException {
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException("ended with status " + status + ": " + String.join(" ", command));
    }
  }

  /** Removes a directory and all that is in it, if it is there. */
  static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
