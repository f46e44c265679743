package org.kblake.benchmarks.transfer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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
import java.util.concurrent.TimeUnit;

/** InfluxDB 1 of Debian as a process on loopback, without users. Thread safe. */
final class InfluxProcess implements AutoCloseable {

  private static final String PROGRAM = "/usr/bin/influxd";
  private static final long START_SECONDS = 60;

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;
  private final Process process;

  private InfluxProcess(Path directory, String cores) throws IOException {
    port = freePort();
    Path config = directory.resolve("influxdb.conf");
    Files.writeString(
        config,
        """
        reporting-disabled = true
        bind-address = "127.0.0.1:%d"
        [meta]
          dir = "%s/meta"
        [data]
          dir = "%s/data"
          wal-dir = "%s/wal"
          query-log-enabled = false
        [http]
          bind-address = "127.0.0.1:%d"
          log-enabled = false
        [monitor]
          store-enabled = false
        """
            .formatted(freePort(), directory, directory, directory, port));
    process =
        new ProcessBuilder("taskset", "-c", cores, PROGRAM, "-config", config.toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("influxd.log").toFile())
            .start();
  }

  static boolean isInstalled() {
    return Files.isExecutable(Path.of(PROGRAM));
  }

  /**
   * Starts a server, and waits until it answers.
   *
   * @param directory an existing directory for its files
   * @param cores a list of cores, as for taskset
   */
  static InfluxProcess start(Path directory, String cores)
      throws IOException, InterruptedException {
    InfluxProcess influx = new InfluxProcess(directory, cores);
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!influx.answers()) {
      if (influx.process.waitFor(50, TimeUnit.MILLISECONDS) || System.nanoTime() > end) {
        influx.close();
        throw new IOException(Files.readString(directory.resolve("influxd.log")));
      }
    }
    return influx;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private boolean answers() throws InterruptedException {
    try {
      HttpRequest ping = HttpRequest.newBuilder(URI.create(url() + "/ping")).build();
      return client.send(ping, HttpResponse.BodyHandlers.discarding()).statusCode() == 204;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the server's version. */
  String version() throws IOException, InterruptedException {
    HttpRequest ping = HttpRequest.newBuilder(URI.create(url() + "/ping")).build();
    return client
        .send(ping, HttpResponse.BodyHandlers.discarding())
        .headers()
        .firstValue("X-Influxdb-Version")
        .orElse("unknown");
  }

  int port() {
    return port;
  }

  String url() {
    return "http://127.0.0.1:" + port;
  }

  long pid() {
    return process.pid();
  }

  double cpuSeconds() {
    return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
  }

  /** Returns the answer to a statement. */
  String execute(String database, String statement) throws IOException, InterruptedException {
    String query = "q=" + URLEncoder.encode(statement, StandardCharsets.UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url() + "/query?db=" + database))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(query));
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Makes sure that a database has a number of records. */
  void requireRecords(String database, long expected) throws IOException, InterruptedException {
    String answer = execute(database, "SELECT COUNT(list) FROM kblake");
    if (!answer.contains("," + expected + "]]")) {
      throw new IOException("database=" + database + ", expected=" + expected + ": " + answer);
    }
  }

  /** Writes prepared requests one after another: lines that are packed with gzip. */
  void write(String database, List<byte[]> requests) throws IOException, InterruptedException {
    for (byte[] each : requests) {
      HttpRequest.Builder request =
          HttpRequest.newBuilder(URI.create(url() + "/write?db=" + database))
              .header("Content-Encoding", "gzip")
              .POST(HttpRequest.BodyPublishers.ofByteArray(each));
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 204) {
        throw new IOException(answer.statusCode() + ": " + answer.body());
      }
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
