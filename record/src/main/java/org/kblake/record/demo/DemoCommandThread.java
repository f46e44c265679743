package org.kblake.record.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.kblake.cli.Kblake;
import org.kblake.cli.error.RequestException;
import org.kblake.cli.frame.Session;
import org.kblake.cli.process.ProcessEnvironment;

/** A command in a thread of this process. Its messages are in a file. */
final class DemoCommandThread {

  private static final long LOOK_MILLIS = 50;
  private static final long BEGIN_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long END_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final String word;
  private final Path messages;
  private final Path directory;
  private final ProcessEnvironment environment;
  private final Thread thread;

  /**
   * Makes a thread, which is not started.
   *
   * @param word the word of the command
   * @param variables its environment
   * @param directory its working directory
   */
  DemoCommandThread(String word, Map<String, String> variables, Session session, Path directory)
      throws IOException {
    this.word = word;
    this.directory = directory;
    messages = directory.resolve(word + ".log");
    environment =
        new ProcessEnvironment(
            InputStream.nullInputStream(),
            OutputStream.nullOutputStream(),
            new PrintStream(Files.newOutputStream(messages), true, StandardCharsets.UTF_8),
            variables,
            directory,
            session.environment().clock(),
            false,
            false);
    thread = new Thread(this::run, "kblake-demo-" + word);
  }

  private void run() {
    try (PrintStream err = environment.err()) {
      int status =
          Kblake.run(environment, word, "--config", directory.resolve("kblake.toml").toString());
      err.println("ended with status " + status);
    }
  }

  /**
   * Starts the command, and waits until its messages have a text.
   *
   * @throws RequestException if it ends, or a minute is over
   */
  void start(String sign) throws IOException, InterruptedException {
    thread.start();
    long end = System.nanoTime() + BEGIN_NANOS;
    while (!Files.readString(messages).contains(sign)) {
      check();
      if (System.nanoTime() - end > 0) {
        throw new RequestException("kblake " + word + " has not begun: " + last());
      }
      Thread.sleep(LOOK_MILLIS);
    }
  }

  /**
   * Checks that the command works.
   *
   * @throws RequestException if it has ended
   */
  void check() throws IOException {
    if (!thread.isAlive()) {
      throw new RequestException("kblake " + word + " has ended: " + last());
    }
  }

  private String last() throws IOException {
    List<String> lines = Files.readAllLines(messages);
    return lines.isEmpty()
        ? "no message"
        : String.join("; ", lines.subList(Math.max(0, lines.size() - 2), lines.size()));
  }

  /** Asks the command to end, as Ctrl-C does. */
  void stop() {
    thread.interrupt();
  }

  /** Waits for the end, even if this thread is interrupted, half a minute at most. */
  void awaitEnd() {
    boolean isInterrupted = Thread.interrupted();
    long end = System.nanoTime() + END_NANOS;
    while (thread.isAlive() && System.nanoTime() - end < 0) {
      try {
        thread.join(TimeUnit.NANOSECONDS.toMillis(END_NANOS));
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
