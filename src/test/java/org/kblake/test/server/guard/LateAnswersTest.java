package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** A request whose time is over before its answer has begun is told so, at every door. */
@Timeout(120)
final class LateAnswersTest {

  private static final String DAY = "&from=2016-05-16T00:00:00Z&to=2016-05-17T00:00:00Z";

  private static final List<String> API =
      List.of(
          "/api/v1/trend?channel=VALCCG:D00:000000:PRES" + DAY,
          "/api/v1/channels?search=d01",
          "/api/v1/values?channel=VALCCG:D00:000000:PRES&at=2016-05-16T12:00",
          "/api/v1/data?channel=VALCCG:D00:000000:PRES" + DAY,
          "/api/v1/data?format=csv&channel=VALCCG:D00:000000:PRES" + DAY,
          "/api/v1/data?format=arrow&channel=VALCCG:D00:000000:PRES" + DAY,
          "/api/v1/table?every=1h&channel=VALCCG:D00:000000:PRES" + DAY,
          "/api/v1/when?condition=VALCCG:D00:000000:PRES%3E0" + DAY);

  private static final List<String> OTHERS =
      List.of(
          "/retrieval/data/getData.json?pv=VALCCG:D00:000000:PRES" + DAY,
          "/retrieval/data/getData.raw?pv=VALCCG:D00:000000:PRES" + DAY,
          "/retrieval/data/getData.csv?pv=mean_60(VALCCG:D00:000000:PRES)" + DAY,
          "/retrieval/data/getDataForPVs.json?pv=VALCCG:D00:000000:PRES" + DAY,
          "/retrieval/bpl/getMatchingPVs?pv=*",
          "/archive/1/samples/VALCCG:D00:000000:PRES?start=0&end=1463400000000000000");

  @TempDir private static Path directory;

  @BeforeAll
  static void write() throws Exception {
    ManyNames.write(directory);
  }

  /** A server that has not read the names, which takes much longer than its requests may take. */
  private static ServedSample serve() throws Exception {
    Duration minute = Duration.ofMinutes(1);
    Duration most = Duration.ofMillis(5);
    return new ServedSample(
        directory,
        null,
        AccessSettings.open(),
        new ServerLimits(
            1, 1, 1, 4, minute, most, most, minute, minute, ConnectionLimits.defaults()),
        null);
  }

  /**
   * Asks servers until one is late. A busy machine may look at the time only after the answer has
   * begun, but no request ends without a status.
   */
  private static String late(String path) throws Exception {
    String answer = "";
    for (int i = 0; i < 20 && !answer.startsWith("HTTP/1.1 504 "); i++) {
      try (ServedSample server = serve()) {
        answer = RawExchange.ask(server.port(), request("GET", path, "Accept-Encoding: gzip"));
        assertThat(answer).as(path).startsWith("HTTP/1.1 ");
        assertThat(server.get("/health").statusCode()).isEqualTo(200);
      }
    }
    assertThat(answer)
        .as(path)
        .startsWith("HTTP/1.1 504 ")
        .contains("Content-Security-Policy: ")
        .contains("did not begin within 0.005 s", "ask for a shorter time")
        .doesNotContain("Content-Encoding", "Kblake-Complete");
    return answer;
  }

  /** The next request of the connection comes when the late one, which had waited, has ended. */
  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 6 s of a processor")
  @Test
  void theConnectionOfALateRequestGoesOn() throws Exception {
    Duration minute = Duration.ofMinutes(1);
    Duration most = Duration.ofSeconds(5);
    String brief = "/api/v1/channels?search=d01&limit=1";
    String search = "/api/v1/channels?regex=" + ".*".repeat(49) + "zz";
    String line = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n";
    try (ServedSample server =
            new ServedSample(
                directory,
                null,
                AccessSettings.open(),
                new ServerLimits(
                    1, 1, 1, 4, minute, most, most, minute, minute, ConnectionLimits.defaults()),
                null);
        RawExchange first = new RawExchange(server.port());
        RawExchange second = new RawExchange(server.port())) {
      Await.await("the names", () -> server.get(brief).statusCode() == 200);
      for (RawExchange each : List.of(first, second)) {
        each.send(line.formatted(search));
      }
      for (RawExchange each : List.of(first, second)) {
        assertThat(each.readUntil("}")).startsWith("HTTP/1.1 504 ");
        each.send(line.formatted(brief));
        assertThat(each.readUntil("\r\n")).startsWith("HTTP/1.1 200 ");
      }
      Await.await(
          "the metric",
          () -> server.get("/metrics").body().contains("door=\"api\",reason=\"time\"} "));
    }
  }

  @Test
  void requestsThatAreLateGetJson() throws Exception {
    for (String path : API) {
      assertThat(late(path))
          .contains("Content-Type: application/json")
          .contains("\"status\":504")
          .endsWith("}");
    }
  }

  @Test
  void requestsThatAreLateGetALineOfText() throws Exception {
    for (String path : OTHERS) {
      assertThat(late(path)).contains("Content-Type: text/plain").endsWith("wider bins\n");
    }
  }
}
