package org.kblake.test.appliance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.query.ArchiveReader;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;
import org.kblake.test.fixture.archive.RandomArchive;

/**
 * A server on an archive, and its client. Its close fails if a request has left a reader open, or
 * has not freed its memory.
 */
final class ServedFixture implements AutoCloseable {

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ArchiveReader reader;
  private final TrendServer server;

  private ServedFixture(ArchiveReader reader) throws IOException {
    this.reader = reader;
    server =
        TrendServer.start(
            reader, ServerSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  /** Serves an archive without a store. Its pairs are closed. */
  static ServedFixture raw(Path root) throws IOException {
    return new ServedFixture(builder(root).open());
  }

  /** Serves an archive with a store. */
  static ServedFixture stored(Path root, Path store) throws IOException {
    return new ServedFixture(builder(root).store(store).withoutAdmission().open());
  }

  private static ArchiveReader.Builder builder(Path root) {
    return ArchiveReader.builder()
        .archive(root)
        .settings(ArchiveSettings.defaults().withZone(RandomArchive.ZONE).withTail(TailRule.FINAL));
  }

  int port() {
    return server.port();
  }

  ArchiveReader reader() {
    return reader;
  }

  /** Sends a request for a path, which may have a query that is encoded. */
  HttpResponse<byte[]> get(String path) throws IOException {
    return send(HttpRequest.newBuilder(uri(path)).timeout(Duration.ofSeconds(60)).build());
  }

  HttpResponse<byte[]> post(String path, String body, String type) throws IOException {
    return send(
        HttpRequest.newBuilder(uri(path))
            .timeout(Duration.ofSeconds(60))
            .header("Content-Type", type)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  /** Returns the body of an answer with status 200. */
  byte[] body(String path) throws IOException {
    HttpResponse<byte[]> response = get(path);
    assertThat(response.statusCode())
        .as(path + ": " + new String(response.body(), StandardCharsets.UTF_8))
        .isEqualTo(200);
    return response.body();
  }

  /** Returns the body of an answer with status 200 as text. */
  String text(String path) throws IOException {
    return new String(body(path), StandardCharsets.UTF_8);
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<byte[]> send(HttpRequest request) throws IOException {
    try {
      return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Returns the path of a request for data. Both times are included. */
  static String data(String form, String pv, long fromNanos, long toNanos) {
    return "/retrieval/data/getData."
        + form
        + "?pv="
        + encoded(pv)
        + "&from="
        + time(fromNanos)
        + "&to="
        + time(toNanos);
  }

  static String time(long nanos) {
    return Instant.ofEpochSecond(
            Math.floorDiv(nanos, 1_000_000_000L), Math.floorMod(nanos, 1_000_000_000L))
        .toString();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    server.close();
    reader.close();
  }
}
