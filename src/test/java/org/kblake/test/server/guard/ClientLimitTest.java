package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.AddressBlock;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** One client that asks for too much at once, while others ask. */
final class ClientLimitTest {

  private static final String NAMES = "/api/v1/channels?limit=1";
  private static final String SECRET = "0123456789abcdef";
  private static final String OTHER_SECRET = "fedcba9876543210";

  @TempDir private static Path directory;

  private final List<RawExchange> open = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeAll
  static void write() throws Exception {
    CommandFixture.mixed(directory);
    Files.writeString(
        directory.resolve("tokens"), "one " + SECRET + "\nother " + OTHER_SECRET + "\n");
  }

  /** Serves four trends at once, and at most six requests of a client. */
  private void serve(ServerLimits limits) throws IOException {
    server =
        new ServedSample(
            directory.resolve("archive"),
            null,
            new AccessSettings(
                List.of(),
                AccessTokens.read(directory.resolve("tokens")),
                List.of(AddressBlock.parse("127.0.0.0/8")),
                false,
                null,
                false),
            limits,
            null);
  }

  private static ServerLimits few() {
    return new ServerLimits(
        4,
        4,
        4,
        256,
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        Duration.ofMillis(500),
        ConnectionLimits.defaults(),
        6,
        1L << 26);
  }

  @AfterEach
  void stop() throws IOException {
    for (RawExchange each : open) {
      each.close();
    }
    server.close();
  }

  private String ask(String from, String... headers) throws IOException {
    try (RawExchange exchange = RawExchange.from(from, server.port())) {
      exchange.send(request("GET", NAMES, headers));
      return exchange.rest();
    }
  }

  private void hold(String from, int count, String headers) throws Exception {
    for (int i = 0; i < count; i++) {
      RawExchange exchange = RawExchange.from(from, server.port());
      open.add(exchange);
      // The server waits for the body of the request, so that it stays in work.
      exchange.send(
          "POST /retrieval/data/getDataAtTime HTTP/1.1\r\nHost: localhost\r\n"
              + headers
              + "Content-Length: 3\r\n\r\n[");
    }
    Await.await(
        "requests in work",
        () ->
            RawExchange.ask(server.port(), request("GET", "/metrics"))
                .contains("kblake_serve_active{door=\"appliance\"} " + open.size()));
  }

  @Test
  void anAddressHasALimitAndOthersAreAnswered() throws Exception {
    serve(few());
    hold("127.0.0.2", 6, "");
    assertThat(ask("127.0.0.2"))
        .startsWith("HTTP/1.1 429 ")
        .contains("Retry-After: 2\r\n")
        .contains("this client has too many requests at once (at most 6,");
    assertThat(ask("127.0.0.3")).as("another address").startsWith("HTTP/1.1 200 ");
    assertThat(ask("127.0.0.1")).as("this host").startsWith("HTTP/1.1 200 ");
    assertThat(RawExchange.ask(server.port(), request("GET", "/metrics")))
        .contains("kblake_serve_refused_total{door=\"api\",reason=\"client\"} 1.0")
        .contains("kblake_serve_answers_total{door=\"api\",status=\"429\"} 1.0");
  }

  /** Behind a proxy on this host the names of tokens tell clients apart. */
  @Test
  void aTokenHasALimitFromEachAddress() throws Exception {
    serve(few());
    hold("127.0.0.1", 3, "Authorization: Bearer " + SECRET + "\r\n");
    hold("127.0.0.2", 3, "Authorization: Bearer " + SECRET + "\r\n");
    assertThat(ask("127.0.0.3", "Authorization: Bearer " + SECRET)).startsWith("HTTP/1.1 429 ");
    assertThat(ask("127.0.0.1", "Authorization: Bearer " + OTHER_SECRET))
        .startsWith("HTTP/1.1 200 ");
    assertThat(ask("127.0.0.2")).as("without the token").startsWith("HTTP/1.1 200 ");
  }

  /** A dashboard with many panels asks for all at once. */
  @Test
  void aDashboardIsAnsweredByDefault() throws Exception {
    serve(ServerLimits.defaults());
    for (int i = 0; i < 190; i++) {
      open.add(RawExchange.from("127.0.0.2", server.port()));
    }
    for (RawExchange each : open) {
      each.send(request("GET", NAMES));
    }
    for (RawExchange each : open) {
      assertThat(each.rest()).startsWith("HTTP/1.1 200 ");
    }
  }
}
