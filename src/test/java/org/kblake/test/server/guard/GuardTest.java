package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
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

/** What stands before all doors: refusals, limits, log, metrics, the end of the server. */
final class GuardTest {

  private static final String TOKEN = "0123456789abcdef-secret";
  private static final String NAMES = "/retrieval/bpl/getMatchingPVs?regex=.*";

  /** The server waits for the body of this request, so that it stays in work. */
  private static final String HELD =
      "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\n[";

  private static final String AT_TIME = "/retrieval/data/getDataAtTime";
  private static final String FOR_PVS = "/retrieval/data/getDataForPVs.json";

  @TempDir private static Path directory;

  private final List<String> log = new CopyOnWriteArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeAll
  static void write() throws Exception {
    CommandFixture.mixed(directory).backfill();
    Files.writeString(directory.resolve("token"), TOKEN + "\n");
  }

  private void start(AccessSettings access, ServerLimits limits) throws IOException {
    server =
        new ServedSample(
            directory.resolve("archive"), directory.resolve("store"), access, limits, log::add);
  }

  private void start(AccessSettings access) throws IOException {
    start(access, ServerLimits.defaults());
  }

  private static AccessSettings access(boolean token, boolean cors, String... allowed)
      throws IOException {
    return new AccessSettings(
        List.of("trends.example"),
        token ? AccessTokens.read(directory.resolve("token")) : null,
        List.of(allowed).stream().map(AddressBlock::parse).toList(),
        cors,
        null,
        false);
  }

  private static ServerLimits limits(int waiting, Duration wait, Duration most, Duration idle) {
    return new ServerLimits(
        1,
        1,
        1,
        waiting,
        wait,
        most,
        most,
        idle,
        Duration.ofMillis(500),
        ConnectionLimits.defaults());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private String ask(String request) throws IOException {
    return RawExchange.ask(server.port(), request);
  }

  private static String status(String answer) {
    return answer.isEmpty() ? "cut" : answer.split(" ", 3)[1];
  }

  private String named(String host) throws IOException {
    return status(ask("GET /health HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n"));
  }

  @Test
  void onlyNamesOfThisHostAreAnswered() throws Exception {
    start(access(false, false));
    for (String host :
        List.of(
            "localhost", "LOCALHOST:99", "127.0.0.1:1", "[::1]", "trends.example", "localhost.")) {
      assertThat(named(host)).as(host).isEqualTo("200");
    }
    for (String host :
        List.of("evil.example", "localhost.evil.example", "10.0.0.1", "127.0.0.1.evil")) {
      assertThat(named(host)).as(host).isEqualTo("403");
    }
    assertThat(named("a b")).isEqualTo("400");
    assertThat(
            status(
                ask(
                    "GET http://evil.example/health HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n")))
        .isEqualTo("403");
    assertThat(status(ask("GET /health HTTP/1.1\r\nConnection: close\r\n\r\n"))).isEqualTo("400");
    assertThat(status(ask("GET /health HTTP/1.0\r\n\r\n"))).isEqualTo("200");
  }

  @Test
  void answersHaveHeadersForBrowsers() throws Exception {
    start(access(false, false));
    for (String path : List.of("/", "/health", NAMES, "/api/v1/channels", "/nothing")) {
      assertThat(ask(request("GET", path)))
          .as(path)
          .contains("Content-Security-Policy: default-src 'none'; script-src 'self'")
          .contains("X-Content-Type-Options: nosniff")
          .contains("X-Frame-Options: DENY")
          .contains("Referrer-Policy: no-referrer")
          .doesNotContain("Access-Control-Allow-Origin")
          .doesNotContain("Server: Jetty");
    }
    assertThat(ask(request("GET", "/api/v1/channels", "Accept-Encoding: gzip")))
        .contains("Content-Encoding: gzip");
  }

  @Test
  void otherMethodsAreRefused() throws Exception {
    start(access(false, false));
    for (String method : List.of("PUT", "DELETE", "PATCH", "TRACE", "OPTIONS", "POST", "BREW")) {
      assertThat(ask(request(method, "/api/v1/channels")))
          .as(method)
          .startsWith("HTTP/1.1 405")
          .contains("Allow: GET, HEAD\r\n");
    }
    assertThat(status(ask(request("PUT", AT_TIME)))).isEqualTo("405");
    assertThat(status(ask(request("HEAD", "/health")))).isEqualTo("200");
  }

  @Test
  void aTokenIsSentAsHeaderOrCookieAndIsInNoLog() throws Exception {
    start(access(true, false, "10.0.0.0/8"));
    assertThat(ask(request("GET", NAMES)))
        .startsWith("HTTP/1.1 401")
        .contains("WWW-Authenticate: Bearer");
    assertThat(status(ask(request("GET", NAMES, "Authorization: Bearer " + TOKEN))))
        .isEqualTo("200");
    for (String wrong : List.of("", "x", TOKEN + "x", TOKEN.substring(1))) {
      assertThat(status(ask(request("GET", NAMES, "Authorization: Bearer " + wrong))))
          .isEqualTo("401");
    }
    assertThat(status(ask(request("GET", NAMES, "Cookie: a=b; kblake-token=" + TOKEN))))
        .isEqualTo("200");
    assertThat(status(ask(request("GET", NAMES, "Cookie: kblake-token=wrong")))).isEqualTo("401");
    assertThat(status(ask(request("GET", "/health")))).isEqualTo("200");
    assertThat(status(ask(request("GET", "/metrics")))).isEqualTo("401");
    assertThat(ask(request("GET", "/?c=A%3AB&token=" + TOKEN + "&x=1")))
        .startsWith("HTTP/1.1 303")
        .contains("Location: /?c=A%3AB&x=1\r\n")
        .contains(
            "Set-Cookie: kblake-token="
                + TOKEN
                + "; Path=/; Max-Age=31536000; HttpOnly; SameSite=Strict\r\n");
    assertThat(status(ask(request("GET", "/?token=wrong-" + TOKEN)))).isEqualTo("401");
    assertThat(status(ask(request("GET", NAMES + "&token=" + TOKEN)))).isEqualTo("401");
    assertThat(log).hasSizeGreaterThan(10).noneMatch(line -> line.contains("secret"));
  }

  @Test
  void listedClientsNeedNoToken() throws Exception {
    start(access(true, false, "127.0.0.0/8"));
    assertThat(status(ask(request("GET", NAMES)))).isEqualTo("200");
  }

  @Test
  void badRequestsAreErrorsOfTheClient() throws Exception {
    start(access(false, false));
    for (String path :
        List.of(
            "/api/v1/channels?match=%ff",
            "/api/v1/channels?match=%",
            "/api/v1/channels?match=%4",
            "/api/v1/channels?match=%zz",
            "/api/v1/channels?match=\u00ff",
            "/api/v1/trend?channel=%c0%80",
            "/retrieval/data/getData.json?pv=%ff",
            "/archive/1/samples/%ff?start=0&end=1",
            "/../../etc/passwd",
            "/page/%2e%2e/index.html",
            "/page/..%2findex.html",
            "/page/%00",
            "/archive/1/samples/a%2Fb?start=0&end=1",
            "/archive/1/samples/../b?start=0&end=1",
            "/api/v1/metadata?channel=a/b%25..",
            "/retrieval/data/getData.json?pv=a/%25/..",
            "/nothing")) {
      assertThat(status(ask(request("GET", path)))).as(path).matches("200|4\\d\\d");
    }
    assertThat(status(ask(request("GET", "/api/v1/channels?match=%ff")))).isEqualTo("400");
    assertThat(status(ask("nonsense\r\n\r\n"))).isEqualTo("400");
    assertThat(status(ask(request("GET", "/" + "x".repeat(70_000))))).isEqualTo("414");
    assertThat(status(ask(request("GET", "/health", "X: " + "x".repeat(70_000))))).isEqualTo("431");
    assertThat(status(ask(request("POST", AT_TIME, "Content-Length: 9000000000"))))
        .isEqualTo("413");
    assertThat(status(ask(request("POST", AT_TIME, "Content-Length: -1")))).isEqualTo("400");
  }

  @Test
  void lockedKindsWaitAndAreThenRefused() throws Exception {
    start(
        access(false, false),
        limits(1, Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofSeconds(30)));
    try (RawExchange held = new RawExchange(server.port())) {
      held.send(String.format(HELD, FOR_PVS));
      activeIs(1);
      assertThat(ask(request("GET", "/retrieval/data/getData.json?pv=a")))
          .startsWith("HTTP/1.1 429")
          .contains("Retry-After: 2")
          .contains("took longer than 1000 ms");
      assertThat(status(ask(request("GET", NAMES)))).as("trends go on").isEqualTo("200");
      assertThat(status(ask(request("GET", "/retrieval/data/getData.json?pv=mean_60(a)"))))
          .isEqualTo("404");
      String instant = "&from=2016-05-16T00:00:00Z&to=2016-05-16T00:00:00Z";
      assertThat(status(ask(request("GET", "/retrieval/data/getData.raw?pv=a" + instant))))
          .as("Phoebus' first request for a trace")
          .isEqualTo("404");
      CompletableFuture<String> waits =
          CompletableFuture.supplyAsync(() -> quietly("/retrieval/data/getData.json?pv=a"));
      activeIs(2);
      assertThat(ask(request("GET", "/retrieval/data/getData.json?pv=a")))
          .startsWith("HTTP/1.1 429")
          .contains("too many requests wait");
      held.send("  ");
      assertThat(waits.get(10, TimeUnit.SECONDS)).isEqualTo("404");
    }
    assertThat(status(ask(request("GET", "/retrieval/data/getData.json?pv=a")))).isEqualTo("404");
    assertThat(metrics())
        .contains("kblake_serve_refused_total{door=\"appliance\",reason=\"busy\"}")
        .contains("kblake_serve_requests_seconds_bucket{door=\"appliance\",status=\"4xx\",le=")
        .contains("kblake_serve_sent_bytes_total{door=\"appliance\"}")
        .contains("kblake_serve_active{door=\"operation\"} 1");
  }

  private String quietly(String path) {
    try {
      return status(ask(request("GET", path)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private String metrics() throws IOException {
    return ask(request("GET", "/metrics"));
  }

  private void activeIs(int count) throws Exception {
    Await.await(
        "requests in work",
        () -> metrics().contains("kblake_serve_active{door=\"appliance\"} " + count));
  }

  @Test
  void requestsThatTakeTooLongAreRefused() throws Exception {
    start(
        access(false, false),
        limits(1, Duration.ofSeconds(5), Duration.ofMillis(300), Duration.ofSeconds(30)));
    try (RawExchange held = new RawExchange(server.port())) {
      held.send(String.format(HELD, AT_TIME));
      assertThat(held.rest())
          .startsWith("HTTP/1.1 504 ")
          .contains("Content-Security-Policy: ", "Cache-Control: no-store")
          .endsWith(
              "the answer did not begin within 0.3 s (trend-time of the server); ask for a shorter"
                  + " time, fewer channels, or wider bins\n");
    }
    assertThat(status(ask(request("GET", NAMES)))).as("its place is free").isEqualTo("200");
  }

  @Test
  void clientsThatNeitherSendNorReadAreDisconnected() throws Exception {
    start(
        access(false, false),
        limits(1, Duration.ofSeconds(5), Duration.ofMinutes(1), Duration.ofMillis(400)));
    try (RawExchange idle = new RawExchange(server.port());
        RawExchange held = new RawExchange(server.port())) {
      held.send(String.format(HELD, AT_TIME));
      assertThat(idle.rest()).isEmpty();
      assertThat(status(held.rest())).isNotEqualTo("200");
    }
    assertThat(status(ask(request("GET", NAMES)))).as("its place is free").isEqualTo("200");
  }

  @Test
  void aThousandConnectionsTakeNoThread() throws Exception {
    start(access(false, false));
    List<RawExchange> all = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        all.add(new RawExchange(server.port()));
      }
      for (RawExchange each : all) {
        each.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      }
      for (RawExchange each : all) {
        assertThat(each.readUntil("alive\n")).startsWith("HTTP/1.1 200");
      }
      assertThat(status(ask(request("GET", NAMES)))).isEqualTo("200");
    } finally {
      for (RawExchange each : all) {
        each.close();
      }
    }
  }

  @Test
  void theEndOfTheServerWaitsForRequestsAndThenRefusesThem() throws Exception {
    start(
        access(false, false),
        new ServerLimits(
            2,
            2,
            2,
            2,
            Duration.ofSeconds(5),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofSeconds(30),
            Duration.ofSeconds(2),
            ConnectionLimits.of(100)));
    try (RawExchange ends = new RawExchange(server.port());
        RawExchange never = new RawExchange(server.port());
        RawExchange late = new RawExchange(server.port())) {
      late.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      late.readUntil("alive\n");
      ends.send(String.format(HELD, FOR_PVS));
      never.send(String.format(HELD, AT_TIME));
      activeIs(2);
      CompletableFuture<Void> closed =
          CompletableFuture.runAsync(
              () -> {
                try {
                  server.close();
                } catch (IOException e) {
                  throw new java.io.UncheckedIOException(e);
                }
              });
      TimeUnit.MILLISECONDS.sleep(200);
      late.send("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(status(late.rest())).isEqualTo("503");
      ends.send("a]");
      assertThat(status(ends.rest())).isEqualTo("400");
      assertThat(never.rest()).startsWith("HTTP/1.1 503 ").contains("the server ends");
      closed.get(10, TimeUnit.SECONDS);
    }
  }

  @Test
  void theLogHasALinePerRequest() throws Exception {
    start(access(false, false));
    ask(request("GET", "/health?a=b%0Ac"));
    ask(request("GET", "/x%0ay"));
    ask("nonsense\r\n\r\n");
    // A line follows its answer, so the lines of two requests may come in any order.
    String expected = "\\S+Z 127\\.0\\.0\\.1 GET /health\\?a=b%0Ac 200 6 \\d+\\.\\d ms";
    Await.await(
        "its line", () -> log.size() >= 2 && log.stream().anyMatch(each -> each.matches(expected)));
    assertThat(log).allMatch(line -> line.matches("[ -~]+"));
  }

  @Test
  void readyAsksTheArchive() throws Exception {
    start(access(false, false));
    assertThat(ask(request("GET", "/ready"))).startsWith("HTTP/1.1 200").contains("ready\n");
  }

  /** A server without a store answers nothing while its archive is away. */
  @Test
  void readyIsRefusedWhileTheArchiveIsAway() throws Exception {
    Path archive = directory.resolve("archive");
    server =
        new ServedSample(archive, null, access(false, false), ServerLimits.defaults(), log::add);
    Path away = Files.move(archive, directory.resolve("away"));
    try {
      assertThat(ask(request("GET", "/ready")))
          .startsWith("HTTP/1.1 503")
          .contains("the archive cannot be read: ")
          .doesNotContain(directory.toString());
      assertThat(ask(request("GET", "/api/v1/archive")))
          .startsWith("HTTP/1.1 503")
          .doesNotContain(directory.toString());
      assertThat(ask(request("GET", "/health"))).startsWith("HTTP/1.1 200");
    } finally {
      Files.move(away, archive);
    }
    assertThat(ask(request("GET", "/ready"))).startsWith("HTTP/1.1 200");
  }

  /** HEAD has the status and the headers of GET. */
  @Test
  void headIsGetWithoutABody() throws Exception {
    start(access(false, false));
    for (String path :
        List.of("/", "/page/page.js", "/api/v1/channels", NAMES, "/nothing", "/api/v1/nothing")) {
      String get = ask(request("GET", path));
      String head = ask(request("HEAD", path));
      int end = head.indexOf("\r\n\r\n") + 4;
      assertThat(head).as(path).hasSize(end);
      assertThat(withoutDate(head)).as(path).isEqualTo(withoutDate(get.substring(0, end)));
    }
    assertThat(ask(request("HEAD", "/"))).contains("Content-Type: text/html");
  }

  private static String withoutDate(String headers) {
    return headers.replaceAll("Date: .*\r\n", "");
  }
}
