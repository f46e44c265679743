package org.kblake.benchmarks.paper;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.kblake.benchmarks.measure.Commands;

/**
 * A view of a directory through a file system with a bandwidth and a delay of its own: {@code
 * src/test/fuse/remotefs.c}. Nothing of it is cached. Needs {@code /dev/fuse}, gcc, pkg-config and
 * libfuse 3.
 */
final class CappedDevice implements Closeable {

  static final long BYTES_PER_SECOND = 40_000_000;
  private static final int DELAY_MICROSECONDS = 1000;

  private final Path mountPoint;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private CappedDevice(Path mountPoint, Process process) {
    this.mountPoint = mountPoint;
    this.process = process;
    commands = process.outputWriter(StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Compiles the file system.
   *
   * @param into the directory of the program
   * @throws IOException if it cannot be compiled
   */
  static Path compile(Path into) throws IOException, InterruptedException {
    Path program = into.resolve("remotefs");
    Commands.run(
        List.of(
            "sh",
            "-c",
            "gcc -std=c17 -O1 -o \"$0\" ../src/test/fuse/remotefs.c ../src/test/fuse/localfiles.c"
                + " $(pkg-config --cflags --libs fuse3)",
            program.toString()));
    return program;
  }

  /** Mounts a view of a directory. */
  static CappedDevice mount(Path program, Path backing, Path mountPoint) throws IOException {
    Files.createDirectories(mountPoint);
    Process process =
        new ProcessBuilder(program.toString(), backing.toString(), mountPoint.toString(), "direct")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    CappedDevice device = new CappedDevice(mountPoint, process);
    try {
      device.answer();
      device.command("delay " + DELAY_MICROSECONDS);
      device.command("rate " + BYTES_PER_SECOND);
      return device;
    } catch (IOException e) {
      device.close();
      throw e;
    }
  }

  private void command(String line) throws IOException {
    commands.write(line + "\n");
    commands.flush();
    answer();
  }

  private void answer() throws IOException {
    String line = answers.readLine();
    if (line == null || !line.startsWith("ok")) {
      throw new IOException("the capped file system failed: " + line);
    }
  }

  Path root() {
    return mountPoint;
  }

  /** Unmounts the view. */
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
