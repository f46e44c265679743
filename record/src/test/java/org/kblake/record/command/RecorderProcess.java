package org.kblake.record.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.kblake.cli.Kblake;

/** A process {@code kblake record} or another, whose lines are those of standard error. */
final class RecorderProcess implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Process process;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader = new Thread(this::read, "lines of the recorder");

  private RecorderProcess(Process process) {
    this.process = process;
    reader.start();
  }

  static RecorderProcess start(Path directory, Map<String, String> variables, String... arguments)
      throws IOException {
    return start("record", directory, variables, arguments);
  }

  static RecorderProcess start(
      String word, Path directory, Map<String, String> variables, String... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.nio=ALL-UNNAMED", // as the launcher, for Arrow
                "-cp",
                System.getProperty("java.class.path"),
                Kblake.class.getName(),
                word));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.redirectOutput(new File("/dev/null"));
    builder.environment().putAll(variables);
    return new RecorderProcess(builder.start());
  }

  /**
   * Returns variables as systemd gives them. What the process notifies is in the file {@code
   * notified}.
   */
  static Map<String, String> notifying(Path directory) throws IOException {
    Path notify = directory.resolve("bin/systemd-notify");
    Files.createDirectories(notify.getParent());
    Path notified = directory.resolve("notified");
    Files.writeString(notify, "#!/bin/sh\necho \"$@\" >>" + notified + "\n");
    assertThat(notify.toFile().setExecutable(true)).isTrue();
    return Map.of(
        "NOTIFY_SOCKET",
        "/run/none",
        "WATCHDOG_USEC",
        "200000",
        "PATH",
        notify.getParent() + ":" + System.getenv("PATH"));
  }

  private void read() {
    try (BufferedReader text =
        new BufferedReader(
            new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
      text.lines().forEach(lines::add);
    } catch (IOException e) {
      lines.add(e.toString());
    }
  }

  List<String> lines() {
    return lines;
  }

  /** Waits for a line that has all parts. */
  void awaitLine(String... parts) throws InterruptedException {
    await(() -> lines.stream().anyMatch(line -> List.of(parts).stream().allMatch(line::contains)));
  }

  void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("lines of the recorder: %s", lines).isLessThan(end);
      assertThat(process.isAlive()).as("lines of the recorder: %s", lines).isTrue();
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  void signal(String name) throws IOException, InterruptedException {
    Process kill = new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  /** Sends a signal, and returns the exit status. */
  int end(String signal) throws IOException, InterruptedException {
    signal(signal);
    return status();
  }

  /** Waits for the end, and returns the exit status. */
  int status() throws InterruptedException {
    assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("%s", lines).isTrue();
    reader.join();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
