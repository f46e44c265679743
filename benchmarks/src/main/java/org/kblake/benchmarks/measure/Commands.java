package org.kblake.benchmarks.measure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.kblake.cli.Kblake;

/** Runs whole commands. */
public final class Commands {

  private static final long POLL_MILLIS = 10;

  /** The exit status of an incomplete answer. */
  private static final int INCOMPLETE = 3;

  private Commands() {}

  /**
   * Returns the command line of kblake as users start it. For the smallest size it runs the classes
   * of this class path, because no tarball is built then.
   */
  public static List<String> kblake(Size size, String... words) {
    List<String> command = new ArrayList<>();
    if (size == Size.TINY) {
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), Kblake.class.getName()));
    } else {
      command.add(Path.of("../bin/kblake").toAbsolutePath().normalize().toString());
    }
    command.addAll(List.of(words));
    return command;
  }

  /** Returns the command line of a backfill on one thread, with more options. */
  public static List<String> backfill(Size size, Path archive, Path store, String... options) {
    List<String> command = kblake(size, "backfill", "-q", "--threads", "1");
    command.addAll(List.of("--archive", archive.toString(), "--store", store.toString()));
    command.addAll(List.of(options));
    return command;
  }

  /**
   * Starts a command. Its standard output is discarded.
   *
   * @param environment additional environment variables
   */
  public static Process start(List<String> command, Map<String, String> environment)
      throws IOException {
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
   * @throws IOException if its exit status is not 0
   */
  public static void run(List<String> command, Map<String, String> environment)
      throws IOException, InterruptedException {
    end(command, start(command, environment));
  }

  /** Runs a command to its end with the environment of this process. */
  public static void run(List<String> command) throws IOException, InterruptedException {
    run(command, Map.of());
  }

  /** Runs a command to its end. Returns the largest anonymous memory that was observed, in MiB. */
  public static double peakMebibytes(List<String> command)
      throws IOException, InterruptedException {
    return observed(command).peakMebibytes();
  }

  /**
   * A command that ended with the status 0.
   *
   * @param output its standard output
   * @param millis its duration
   * @param peakMebibytes the largest anonymous memory that was observed, in MiB
   */
  public record Ended(String output, double millis, double peakMebibytes) {}

  /** Runs a command with little output to its end, and observes it. */
  public static Ended observed(List<String> command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("kblake-benchmark-", ".txt");
    try {
      long begin = System.nanoTime();
      Process process =
          new ProcessBuilder(command)
              .redirectOutput(output.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      process.getOutputStream().close();
      Path status = Path.of("/proc/" + process.pid() + "/status");
      double peak = 0;
      while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        peak = Math.max(peak, anonymousKibibytes(status) / 1024);
      }
      double millis = (System.nanoTime() - begin) / 1e6;
      end(command, process);
      return new Ended(Files.readString(output), millis, peak);
    } finally {
      Files.delete(output);
    }
  }

  /**
   * Runs a command to its end, and reads what it prints through a pipe. Its answer may be
   * incomplete.
   *
   * @return the number of bytes
   */
  public static long drained(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    long bytes = 0;
    byte[] buffer = new byte[1 << 16];
    try (InputStream output = process.getInputStream()) {
      for (int read = output.read(buffer); read >= 0; read = output.read(buffer)) {
        bytes += read;
      }
    }
    int status = process.waitFor();
    if (status != 0 && status != INCOMPLETE) {
      throw failed(command, status);
    }
    return bytes;
  }

  private static double anonymousKibibytes(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("RssAnon:"))
          .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
          .sum();
    } catch (IOException e) {
      // The process has ended.
      return 0;
    }
  }

  private static void end(List<String> command, Process process)
      throws IOException, InterruptedException {
    int status = process.waitFor();
    if (status != 0) {
      throw failed(command, status);
    }
  }

  private static IOException failed(List<String> command, int status) {
    return new IOException("ended with status " + status + ": " + String.join(" ", command));
  }

  /** Returns the directory of the unpacked tarball that bin/kblake of the clone starts. */
  public static Path installed() throws IOException {
    try (Stream<Path> directories =
        Files.walk(Path.of("../cli/target").toAbsolutePath().normalize(), 2)) {
      return directories
          .filter(it -> Files.isExecutable(it.resolve("bin/kblake")))
          .findFirst()
          .orElseThrow(() -> new IOException("no unpacked tarball in cli/target: run bin/kblake"));
    }
  }

  /** Deletes a directory with its contents, if it exists. */
  public static void delete(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
