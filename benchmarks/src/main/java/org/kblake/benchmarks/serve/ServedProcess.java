package org.kblake.benchmarks.serve;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Size;

/** A process of {@code kblake serve}, and requests to it. Thread safe. */
final class ServedProcess implements AutoCloseable {

  private static final int DONE = 200;
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Pattern URL = Pattern.compile("http://[^/]*:([0-9]+)/");

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
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

  /** Sends a request, and returns the body of the answer, which the caller closes. */
  InputStream open(String path) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(TIMEOUT)
            .build();
    HttpResponse<InputStream> response =
        client.send(request, HttpResponse.BodyHandlers.ofInputStream());
    if (response.statusCode() != DONE) {
      try (InputStream body = response.body()) {
        throw new IOException(
            response.statusCode()
                + ": "
                + path
                + ": "
                + new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return response.body();
  }

  /** Sends a request, and reads the answer to its end. Returns the number of bytes. */
  long read(String path) throws IOException, InterruptedException {
    try (InputStream body = open(path)) {
      return body.transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  /** Sends a request, and reads the answer to its end. Returns the time in nanoseconds. */
  long nanos(String path) throws IOException, InterruptedException {
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
    process.destroy();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
