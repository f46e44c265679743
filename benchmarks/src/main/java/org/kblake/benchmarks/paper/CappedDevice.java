package org.kblake.benchmarks.paper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.LineProcess;

/**
 * A view of a directory through a file system with a limited bandwidth and a delay: {@code
 * src/test/fuse/remotefs.c}. Nothing of it is cached. Needs {@code /dev/fuse}, gcc, pkg-config and
 * libfuse 3.
 */
final class CappedDevice implements Closeable {

  static final long BYTES_PER_SECOND = 40_000_000;
  private static final int DELAY_MICROSECONDS = 1000;

  private final Path mountPoint;
  private final LineProcess view;

  private CappedDevice(Path mountPoint, LineProcess view) {
    this.mountPoint = mountPoint;
    this.view = view;
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
    LineProcess view =
        new LineProcess(
            List.of(program.toString(), backing.toString(), mountPoint.toString(), "direct"));
    CappedDevice device = new CappedDevice(mountPoint, view);
    try {
      requireOk(view.answer());
      device.command("delay " + DELAY_MICROSECONDS);
      device.command("rate " + BYTES_PER_SECOND);
      return device;
    } catch (IOException e) {
      device.close();
      throw e;
    }
  }

  private void command(String line) throws IOException {
    requireOk(view.ask(line));
  }

  private static void requireOk(@Nullable String answer) throws IOException {
    if (answer == null || !answer.startsWith("ok")) {
      throw new IOException("the capped file system failed: " + answer);
    }
  }

  Path root() {
    return mountPoint;
  }

  /** Unmounts the view. */
  @Override
  public void close() throws IOException {
    view.close();
  }
}
