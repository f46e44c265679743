package org.kblake.benchmarks.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Size;

/** A process of {@code kblake serve}, and requests to it. Thread safe. */
final class ServedProcess implements AutoCloseable {

  private static final Pattern URL = Pattern.compile("http://[^/]*:([0-9]+)/");

  private final Queue<ServedConnection> connections = new ConcurrentLinkedQueue<>();
  private final Process process;
  private final int port;

  /**
   * Starts a server, and waits until it listens.
   *
   * @param store null for none
   */
  ServedProcess(Size size, Path archive, @Nullable Path store) throws IOException {
    List<String> command =
        Commands.kblake(size, "serve", "--listen", "127.0.0.1:0", "--archive", archive.toString());
    if (store != null) {
      command.addAll(List.of("--store", store.toString()));
    }
    process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
    BufferedReader notes = process.errorReader(StandardCharsets.UTF_8);
    String note = notes.readLine();
    while (note != null && !URL.matcher(note).find()) {
      note = notes.readLine();
    }
    if (note == null) {
      throw new IOException("the server has ended: " + String.join(" ", command));
    }
    Matcher url = URL.matcher(note);
    port = url.find() ? Integer.parseInt(url.group(1)) : 0;
  }

  /** Returns a text as a part of a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Returns a new connection, which the caller closes. */
  ServedConnection connect() throws IOException {
    return new ServedConnection(port);
  }

  /** Sends a request on a kept connection, and reads the answer to its end. */
  void read(String path) throws IOException {
    ServedConnection kept = connections.poll();
    ServedConnection connection = kept == null ? connect() : kept;
    try {
      connection.request(path);
      connection.skip(new byte[0]);
    } catch (Throwable e) {
      connection.close();
      throw e;
    }
    connections.add(connection);
  }

  /** Sends a request, and reads the answer to its end. Returns the time in nanoseconds. */
  long nanos(String path) throws IOException {
    long begin = System.nanoTime();
    read(path);
    return System.nanoTime() - begin;
  }

  /** Returns the largest resident memory so far in MiB, with pages of files. */
  double peakMebibytes() throws IOException {
    return Files.readAllLines(Path.of("/proc/" + process.pid() + "/status")).stream()
            .filter(line -> line.startsWith("VmHWM:"))
            .mapToDouble(line -> Double.parseDouble(line.replaceAll("\\D", "")))
            .sum()
        / 1024;
  }

  /** Stops the server. */
  @Override
  public void close() throws IOException {
    for (ServedConnection each : connections) {
      each.close();
    }
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
