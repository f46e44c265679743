package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.AccessTokens;
import org.kblake.server.settings.AddressBlock;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** Several tokens: their names, their last days, and their end. The day is 2016-05-16. */
final class TokensTest {

  private static final String CHANNELS = "/api/v1/channels?limit=1";
  private static final String LIVE = "/api/v1/live?channel=VA_CCG:D02_013:CUR";
  private static final String ALICE = "alice-secret-0123456789";
  private static final String BOB = "bob-secret-0123456789";
  private static final String CAROL = "carol-secret-0123456789";

  @TempDir private static Path directory;

  private final List<String> log = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeAll
  static void write() throws Exception {
    CommandFixture.mixed(directory);
  }

  private static AccessTokens tokens(String... lines) throws IOException {
    return AccessTokens.read(Files.write(directory.resolve("tokens"), List.of(lines)));
  }

  @BeforeEach
  void serve() throws IOException {
    server =
        new ServedSample(
            directory.resolve("archive"),
            null,
            new AccessSettings(
                List.of(),
                tokens("alice " + ALICE, "bob 2016-05-15 " + BOB, "carol 2016-05-16 " + CAROL),
                List.of(AddressBlock.parse("127.0.0.2")),
                false,
                null,
                false),
            ServerLimits.defaults(),
            log::add);
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private String ask(String path, String... headers) throws IOException {
    return RawExchange.ask(server.port(), request("GET", path, headers));
  }

  private String askAs(String token) throws IOException {
    return ask(CHANNELS, "Authorization: Bearer " + token);
  }

  @Test
  void logAndMetricsHaveTheNameOfAToken() throws Exception {
    assertThat(askAs(ALICE)).startsWith("HTTP/1.1 200 ");
    assertThat(ask(CHANNELS, "Cookie: kblake-token=" + CAROL)).startsWith("HTTP/1.1 200 ");
    assertThat(ask(CHANNELS)).startsWith("HTTP/1.1 401 ");
    // A request is counted and logged a moment after its answer was read.
    Await.await("their lines", () -> log.size() == 3);
    assertThat(ask("/metrics", "Authorization: Bearer " + CAROL))
        .contains("kblake_serve_token_requests_total{token=\"alice\"} 1.0")
        .contains("kblake_serve_token_requests_total{token=\"carol\"} 1.0");
    assertThat(log)
        .anyMatch(line -> line.contains(" alice@127.0.0.1 GET "))
        .anyMatch(line -> line.contains(" carol@127.0.0.1 GET "))
        .anyMatch(line -> line.contains(" 127.0.0.1 GET "))
        .noneMatch(line -> line.contains("secret"));
  }

  @Test
  void anExpiredTokenIsRefusedAndSaysSo() throws Exception {
    for (String answer :
        List.of(
            askAs(BOB),
            ask(CHANNELS, "Cookie: kblake-token=" + BOB),
            ask("/?token=" + BOB),
            ask("/", "Cookie: kblake-token=" + BOB))) {
      assertThat(answer)
          .startsWith("HTTP/1.1 401 ")
          .contains("WWW-Authenticate: Bearer realm=\"kblake\", error=\"invalid_token\"\r\n")
          .contains("the token bob has expired: its last day was 2016-05-15 (UTC)")
          .doesNotContain("Set-Cookie")
          .doesNotContain("secret");
    }
    assertThat(ask("/metrics", "Authorization: Bearer " + ALICE))
        .contains("kblake_serve_refused_total{door=\"api\",reason=\"expired\"} 2.0");
    try (RawExchange listed = RawExchange.from("127.0.0.2", server.port())) {
      listed.send(request("GET", CHANNELS, "Authorization: Bearer " + BOB));
      assertThat(listed.rest()).as("it needs no token").startsWith("HTTP/1.1 200 ");
    }
  }

  /** Live values would go on for ever otherwise. */
  @Test
  void revokedTokensEndAtOnceAndOthersGoOn() throws Exception {
    try (RawExchange revoked = new RawExchange(server.port());
        RawExchange kept = new RawExchange(server.port())) {
      revoked.send(request("GET", LIVE, "Authorization: Bearer " + ALICE));
      kept.send(request("GET", LIVE, "Authorization: Bearer " + CAROL));
      assertThat(revoked.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      assertThat(kept.readUntil("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
      server.renewTokens(tokens("carol " + CAROL, "bob " + BOB));
      assertThat(revoked.rest()).doesNotContain("HTTP/1.1");
      assertThat(askAs(ALICE)).startsWith("HTTP/1.1 401 ").contains("a token is needed");
      assertThat(askAs(BOB)).as("it has another last day").startsWith("HTTP/1.1 200 ");
      Await.await(
          "the end of one of both",
          () ->
              ask("/metrics", "Authorization: Bearer " + CAROL)
                  .contains("kblake_serve_active{door=\"live\"} 1"));
    }
  }
}
