package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.HeldQuery;
import org.kblake.server.ServerSettings;
import org.kblake.server.TrendServer;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.ServerLimits;

/** A server of an archive, and its client. */
public final class ServedSample implements AutoCloseable {

  /** The present time of the server. */
  public static final Instant NOW = Instant.parse("2016-05-16T12:00:00Z");

  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final ArchiveReader reader;
  private final TrendServer server;

  /**
   * @param store null for none
   */
  public ServedSample(Path archive, @Nullable Path store) throws IOException {
    this(archive, store, AccessSettings.open(), ServerLimits.defaults(), null);
  }

  public ServedSample(
      Path archive,
      @Nullable Path store,
      AccessSettings access,
      ServerLimits limits,
      @Nullable Consumer<String> log)
      throws IOException {
    this(
        store == null ? builder(archive) : builder(archive).store(store),
        HeldQuery.DEFAULT_LOOK_BACK,
        access,
        limits,
        log);
  }

  private ServedSample(
      ArchiveReader.Builder builder,
      Duration lookBack,
      AccessSettings access,
      ServerLimits limits,
      @Nullable Consumer<String> log)
      throws IOException {
    reader = builder.open();
    server =
        TrendServer.start(
            reader,
            new ServerSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                ZoneOffset.ofHours(9),
                InstantSource.fixed(NOW),
                lookBack,
                access,
                limits,
                log));
  }

  private static ArchiveReader.Builder builder(Path archive) {
    return ArchiveReader.builder().archive(archive).withoutAdmission();
  }

  /** Serves an archive with a folder of metadata. */
  public static ServedSample described(Path archive, Path metadata) throws IOException {
    return new ServedSample(
        builder(archive).metadata(metadata),
        HeldQuery.DEFAULT_LOOK_BACK,
        AccessSettings.open(),
        ServerLimits.defaults(),
        null);
  }

  /** Serves an archive with the setting {@code look-back}. */
  public static ServedSample lookingBack(Path archive, Duration lookBack) throws IOException {
    return new ServedSample(
        builder(archive), lookBack, AccessSettings.open(), ServerLimits.defaults(), null);
  }

  public int port() {
    return server.port();
  }

  public void renewTokens(AccessTokens tokens) {
    server.renewTokens(tokens);
  }

  public ArchiveReader reader() {
    return reader;
  }

  /**
   * Sends a request.
   *
   * @param headers names and values in turn
   */
  public HttpResponse<String> get(String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  /** Requests JSON with the status 200. */
  public JsonNode json(String path) throws IOException, InterruptedException {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  /** Requests bytes with the status 200. */
  public byte[] bytes(String path) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path)).build(),
            HttpResponse.BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).as(path).isEqualTo(200);
    return response.body();
  }

  /** Posts a text, and returns the status. */
  public int post(String path, String body) throws IOException, InterruptedException {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Requests an error. */
  public JsonNode error(String path, int status) throws IOException, InterruptedException {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).as("%s: %s", path, response.body()).isEqualTo(status);
    return JSON.readTree(response.body());
  }

  /** Ends the server, which fails if memory of a request is not freed, and closes the reader. */
  @Override
  public void close() throws IOException {
    server.close();
    reader.close();
  }
}
