package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** Large answers are written as they are made, and share a limited memory. */
@Timeout(120)
final class AnswerMemoryTest {

  private static final String TREND = "/api/v1/trend?from=2016-05-16T00:00&to=2016-05-16T01:00";
  private static final String GROUP = "&channel=VA_CCG:D0*:PRES&points=0";

  @TempDir private Path directory;

  /** Each answer has 20 MB. Before, sixteen of them were whole in the memory of 512 MiB. */
  @Test
  void allNamesOfALargeSiteAreSentAsTheyAreWritten() throws Exception {
    ManyNames.write(directory);
    try (ServedSample server = new ServedSample(directory, null)) {
      HttpClient client = HttpClient.newHttpClient();
      String address = "http://127.0.0.1:" + server.port() + "/api/v1/channels?limit=200000";
      List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        answers.add(
            client.sendAsync(
                HttpRequest.newBuilder(URI.create(address)).build(),
                HttpResponse.BodyHandlers.ofByteArray()));
      }
      for (CompletableFuture<HttpResponse<byte[]>> each : answers) {
        HttpResponse<byte[]> answer = each.get(60, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Length")).isEmpty();
        assertThat(answer.headers().firstValue("Kblake-Complete")).contains("true");
        JsonNode document = new ObjectMapper().readTree(answer.body());
        assertThat(document.get("channels")).hasSize(ManyNames.CHANNELS);
        assertThat(document.get("complete").booleanValue()).isTrue();
      }
    }
  }

  @Test
  void anAnswerWaitsForMemoryAndIsThenRefused() throws Exception {
    CommandFixture.mixed(directory);
    Duration minute = Duration.ofMinutes(1);
    ServerLimits limits =
        new ServerLimits(
            8,
            8,
            1,
            8,
            Duration.ofMillis(200),
            minute,
            minute,
            minute,
            Duration.ofSeconds(1),
            ConnectionLimits.defaults(),
            200,
            1 << 20);
    try (ServedSample server =
        new ServedSample(directory.resolve("archive"), null, AccessSettings.open(), limits, null)) {
      try (RawExchange slow = RawExchange.withSmallWindow(server.port())) {
        slow.send(
            request(
                "GET",
                "/api/v1/table?from=2016-05-16T00:00&to=2016-05-16T01:00&every=1ms" + GROUP));
        slow.readUntil("\r\n\r\n");
        for (String path :
            List.of(
                TREND + GROUP,
                "/api/v1/values?at=2016-05-16T00:30" + GROUP,
                "/api/v1/diff?at=2016-05-16T00:10&and=2016-05-16T00:30" + GROUP,
                "/api/v1/moved?at=2016-05-16T00:30" + GROUP,
                "/api/v1/when?condition=VA_CCG:D04_000:PRES%3E0",
                "/api/v1/table?from=2016-05-16T00:00&to=2016-05-16T01:00&every=1s" + GROUP,
                "/retrieval/data/getData.json?pv=optimized_100(VA_CCG:D04_000:PRES)")) {
          HttpResponse<String> answer = server.get(path);
          assertThat(answer.statusCode()).as("%s: %s", path, answer.body()).isEqualTo(503);
          assertThat(answer.headers().firstValue("Retry-After")).as(path).contains("5");
          assertThat(answer.body()).as(path).contains("bytes of memory", "ask again");
        }
        assertThat(server.get("/api/v1/channels").statusCode())
            .as("what keeps nothing")
            .isEqualTo(200);
      }
      Await.await("its memory", () -> server.get(TREND + GROUP).statusCode() == 200);
    }
  }
}
