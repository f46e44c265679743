package org.kblake.test;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A directory seen through a file system of its own, which is not known to be local and fails,
 * delays, hangs or shows zeros when asked to ({@code fuse/remotefs.c}, where the commands are
 * described). Needs {@code /dev/fuse}, gcc, pkg-config and libfuse 3. Unmounted by {@link #close},
 * and also when this JVM dies.
 */
final class RemoteFileSystem implements Closeable {

  /** What the kernel keeps. */
  enum Cache {
    /** Nothing: every read comes to the file system. */
    DIRECT,
    /** Attributes for a second, pages as long as size and time of the file do not change. */
    CACHED
  }

  /** Which operations are counted and fail. */
  enum Operations {
    READ,
    /** Also looks at attributes and directories, links, and opening. */
    ANY
  }

  /** No last operation: errors do not end. */
  static final long EVER = 0;

  /** All paths of the file system. */
  static final String EVERYWHERE = "/";

  private static @Nullable Path program;

  private final Path mountPoint;
  private final Process process;
  private final Writer commands;
  private final BufferedReader answers;

  private RemoteFileSystem(Path mountPoint, Process process) {
    this.mountPoint = mountPoint;
    this.process = process;
    commands = process.outputWriter(StandardCharsets.UTF_8);
    answers =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  /**
   * Mounts a view of a directory.
   *
   * @param mountPoint is created where it is missing
   */
  static RemoteFileSystem mount(Path backing, Path mountPoint, Cache cache) throws IOException {
    Files.createDirectories(mountPoint);
    Process process =
        new ProcessBuilder(
                program().toString(),
                backing.toRealPath().toString(),
                mountPoint.toRealPath().toString(),
                cache == Cache.DIRECT ? "direct" : "cached")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    RemoteFileSystem files = new RemoteFileSystem(mountPoint.toRealPath(), process);
    try {
      files.answer("mount");
      return files;
    } catch (IOException e) {
      files.close();
      throw e;
    }
  }

  /** Compiles the file system, once for all tests of a JVM. */
  private static synchronized Path program() throws IOException {
    Path compiled = program;
    if (compiled == null) {
      Path directory = Files.createTempDirectory("remotefs");
      compiled = directory.resolve("remotefs");
      compiled.toFile().deleteOnExit();
      directory.toFile().deleteOnExit();
      Shell.Result result =
          new Shell(directory)
              .run(
                  "gcc -std=c17 -O1 -Wall -Wextra -Werror -o "
                      + Shell.quoted(compiled)
                      + " "
                      + Shell.quoted(Path.of("fuse", "remotefs.c").toAbsolutePath())
                      + " $(pkg-config --cflags --libs fuse3)");
      if (result.status() != 0) {
        throw new IOException("needs gcc, pkg-config and libfuse 3: " + result.err());
      }
      program = compiled;
    }
    return compiled;
  }

  /** Where the directory is seen. */
  Path root() {
    return mountPoint;
  }

  /**
   * Makes operations fail, counted from now on.
   *
   * @param error {@code EIO}, {@code ESTALE}, {@code ENOENT}
   * @param first the first that fails, from 1
   * @param last the last that fails, or {@link #EVER}
   * @param part what paths have in them that are counted, or {@link #EVERYWHERE}
   */
  void fail(Operations operations, String error, long first, long last, String part)
      throws IOException {
    String kind = operations == Operations.READ ? "read" : "any";
    command("fail " + kind + " " + error + " " + first + " " + last + " " + part);
  }

  /** Ends errors, and says how many there were since {@link #fail}. */
  long heal() throws IOException {
    return command("heal");
  }

  /** Operations counted since {@link #fail}. */
  long count() throws IOException {
    return command("count");
  }

  void delayReads(Duration delay) throws IOException {
    command("delay " + TimeUnit.NANOSECONDS.toMicros(delay.toNanos()));
  }

  /**
   * @param bytesPerSecond of all reads together, 0 for no limit
   */
  void limitRate(long bytesPerSecond) throws IOException {
    command("rate " + bytesPerSecond);
  }

  /** Has operations wait on a path of the file system, {@code /VA}, and on what is below. */
  void hang(String path) throws IOException {
    command("hang " + path);
  }

  /** What hangs goes on. */
  void release() throws IOException {
    command("release");
  }

  /** How many operations hang. */
  long waiting() throws IOException {
    return command("waiting");
  }

  /** Shows sizes before bytes: these are all there when a file was not written for so long. */
  void settleAfter(Duration time) throws IOException {
    command("settle " + time.toMillis());
  }

  private synchronized long command(String line) throws IOException {
    commands.write(line + "\n");
    commands.flush();
    return answer(line);
  }

  private long answer(String to) throws IOException {
    String answer = answers.readLine();
    if (answer == null || !answer.startsWith("ok")) {
      throw new IOException("file system answered " + answer + " to: " + to);
    }
    return answer.equals("ok") ? 0 : Long.parseLong(answer.substring("ok ".length()));
  }

  /** Unmounts; what hangs fails. */
  @Override
  public void close() throws IOException {
    commands.close();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
      // Unmounted lazily, or by a process that outlives it for a moment.
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
      while (isMounted()) {
        if (System.nanoTime() > deadline) {
          throw new IOException("still mounted: " + mountPoint);
        }
        TimeUnit.MILLISECONDS.sleep(5);
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  private boolean isMounted() throws IOException {
    return Files.readString(Path.of("/proc/self/mounts")).contains(" " + mountPoint + " ");
  }
}
