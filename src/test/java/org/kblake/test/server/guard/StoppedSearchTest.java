package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** A search over all names of a large site is short, or ends with its client and its server. */
@Timeout(120)
final class StoppedSearchTest {

  /** As large as a pattern may be for so many names. It takes many seconds. */
  private static final String LONG_SEARCH = "/api/v1/channels?regex=" + ".*".repeat(49) + "zz";

  private static final String SHORT_SEARCH = "/api/v1/channels?search=d01&limit=1";

  @TempDir private static Path directory;

  @BeforeAll
  static void write() throws Exception {
    ManyNames.write(directory);
  }

  /** A server for one search at a time. */
  private static ServedSample serve() throws Exception {
    // The place of the search before it is free a moment later.
    return serve(Duration.ofSeconds(1));
  }

  private static ServedSample serve(Duration longestWait) throws Exception {
    Duration minute = Duration.ofMinutes(1);
    ServerLimits limits =
        new ServerLimits(
            1,
            1,
            1,
            4,
            longestWait,
            minute,
            minute,
            minute,
            Duration.ofMillis(500),
            ConnectionLimits.defaults());
    ServedSample server = new ServedSample(directory, null, AccessSettings.open(), limits, null);
    // The names are read with the first search.
    server.json(SHORT_SEARCH);
    return server;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void patternsThatAreTooLargeForTheNamesAreRefused() throws Exception {
    String regex = ".*".repeat(990);
    String groups = "(".repeat(300) + "A" + ")".repeat(300);
    String braces = "{0,1,2,3,4,5,6,7,8,9}".repeat(3) + "*A*B*C*D";
    try (ServedSample server = serve()) {
      for (String path :
          List.of(
              "/api/v1/channels?regex=" + encoded(regex),
              "/api/v1/channels?regex=" + encoded(groups),
              "/api/v1/channels?pattern=" + encoded(braces),
              "/api/v1/trend?channel=" + encoded(braces),
              "/api/v1/live?channel=" + encoded(braces),
              "/api/v1/data?channel=" + "VALCCG:D00:00000*&channel=".repeat(200) + "*",
              "/api/v1/data?range=0..1&select=" + encoded("glob:" + braces),
              "/api/v1/moved?at=2016-05-16&channel=" + encoded(braces),
              "/api/v1/diff?at=2016-05-16&and=2016-05-17&channel=" + encoded(braces),
              "/retrieval/bpl/getMatchingPVs?regex=" + encoded(regex),
              "/retrieval/bpl/getMatchingPVs?pv=" + "*".repeat(990),
              "/retrieval/bpl/searchForPVsRegex?regex=" + encoded(groups),
              "/archive/1/channels-by-pattern/" + "*".repeat(990))) {
        HttpResponse<String> answer = server.get(path);
        String place = path.substring(0, Math.min(60, path.length()));
        assertThat(answer.statusCode()).as(place).isEqualTo(400);
        assertThat(answer.body()).as(place).contains("too large for 200000 names", "at most 100");
      }
      assertThat(server.error("/api/v1/channels?search=" + "a+".repeat(900), 400).toString())
          .contains("900 words, and at most 20");
      assertThat(server.error("/api/v1/channels?search=" + "a".repeat(9000), 400).toString())
          .contains("at most 2000 characters");
      assertThat(server.json("/api/v1/channels?regex=D03:.*77.*PRES").get("channels")).isNotEmpty();
    }
  }

  @Test
  void aSearchEndsWithItsClient() throws Exception {
    try (ServedSample server = serve()) {
      try (RawExchange leaves = new RawExchange(server.port())) {
        leaves.send(request("GET", LONG_SEARCH));
        Await.await("the search", () -> server.get(SHORT_SEARCH).statusCode() == 429);
      }
      long begin = System.nanoTime();
      Await.await("its place", () -> server.get(SHORT_SEARCH).statusCode() == 200);
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
    }
  }

  @Test
  void aSearchDoesNotHoldUpTheEndOfTheServer() throws Exception {
    ServedSample server = serve();
    try (RawExchange stays = new RawExchange(server.port())) {
      stays.send(request("GET", LONG_SEARCH));
      Await.await("the search", () -> server.get(SHORT_SEARCH).statusCode() == 429);
      long begin = System.nanoTime();
      server.close();
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(5));
      assertThat(stays.rest()).startsWith("HTTP/1.1 503 ").contains("the server ends");
    }
  }

  @Test
  void requestsThatWaitAreRefusedAtTheEndOfTheServer() throws Exception {
    ServedSample server = serve(Duration.ofMinutes(1));
    try (RawExchange one = new RawExchange(server.port());
        RawExchange other = new RawExchange(server.port())) {
      one.send(request("GET", LONG_SEARCH));
      other.send(request("GET", LONG_SEARCH));
      Await.await(
          "both",
          () -> server.get("/metrics").body().contains("kblake_serve_active{door=\"api\"} 2"));
      server.close();
      assertThat(List.of(one.rest(), other.rest()))
          .allMatch(answer -> answer.startsWith("HTTP/1.1 503"));
    }
  }

  /** The next request of a connection comes while the first one is in work. */
  @Test
  void requestsThatFollowAreNotLost() throws Exception {
    try (ServedSample server = serve();
        RawExchange exchange = new RawExchange(server.port())) {
      exchange.send(
          "GET /api/v1/channels?regex=%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
              .formatted(".*".repeat(5) + "x"));
      exchange.send("GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      assertThat(exchange.rest()).contains("\"channels\":[]").endsWith("alive\n");
    }
  }
}
