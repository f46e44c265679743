package org.kblake.record.perf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A process of perf. One thread reads its output, another one flushes it. */
final class PerfProcess implements AutoCloseable {

  private static final byte[] PING = "ping\n".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_MESSAGE_BYTES = 4096;
  private static final long END_SECONDS = 10;

  private final Process process;
  private final ByteArrayOutputStream message = new ByteArrayOutputStream();

  private PerfProcess(Process process) {
    this.process = process;
  }

  /**
   * Starts a process.
   *
   * @throws IOException if the program cannot be run
   */
  static PerfProcess start(List<String> words) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().put("LC_ALL", "C");
    return new PerfProcess(builder.start());
  }

  InputStream output() {
    return process.getInputStream();
  }

  /** Lets perf write what it has, and takes what it says on standard error. */
  void flush() {
    try {
      process.getOutputStream().write(PING);
      process.getOutputStream().flush();
    } catch (IOException e) {
      // It ended, which the reader of its output sees.
    }
    takeMessage();
  }

  private synchronized void takeMessage() {
    try {
      InputStream in = process.getErrorStream();
      for (int bytes = in.available(); bytes > 0; bytes = in.available()) {
        byte[] read = in.readNBytes(bytes);
        message.write(read, 0, Math.min(read.length, MOST_MESSAGE_BYTES - message.size()));
      }
    } catch (IOException e) {
      // It was closed: there is no more.
    }
  }

  /**
   * Waits for the end.
   *
   * @return whether it ended with status 0 in time
   */
  boolean awaitSuccess() throws InterruptedException {
    return process.waitFor(END_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
  }

  /** Returns all that it said on standard error so far, at most 4 KiB. */
  synchronized String message() {
    takeMessage();
    return message.toString(StandardCharsets.UTF_8);
  }

  /** Returns the first line of the message that says something. */
  String reason() {
    return message()
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.equals("Error:"))
        .findFirst()
        .orElse("perf ended without a message");
  }

  /** Kills the process. The output ends. */
  void kill() {
    process.destroyForcibly();
  }

  /** Kills the process, and waits for its end. */
  @Override
  public void close() {
    kill();
    try {
      boolean unused = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
