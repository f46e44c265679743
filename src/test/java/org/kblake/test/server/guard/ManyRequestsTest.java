package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** Several hundred requests at once, as a control room sends them after a start. */
@Timeout(120)
final class ManyRequestsTest {

  /** Of each kind as many as work and wait by default. */
  private static final int REQUESTS = 480;

  private static final String CHANNELS = "channel=VA_CCG:D02_013:CUR&channel=VA_CCG:D11_016:CUR";
  private static final String RANGE = "&from=2016-05-16T00:00&to=2016-05-16T01:00";
  private static final String APPLIANCE = "?from=2016-05-15T15:00:00Z&to=2016-05-15T16:00:00Z&pv=";

  private static final List<String> QUESTIONS =
      List.of(
          "/api/v1/trend?bins=100&" + CHANNELS + RANGE,
          "/api/v1/data?format=arrow&" + CHANNELS + RANGE,
          "/api/v1/values?at=2016-05-16T00:40&" + CHANNELS,
          "/api/v1/table?format=arrow&every=10s&" + CHANNELS + RANGE,
          "/retrieval/data/getData.raw" + APPLIANCE + "optimized_5760(VA_CCG:D02_013:CUR)",
          "/retrieval/data/getData.json" + APPLIANCE + "VA_CCG:D11_016:CUR");

  @TempDir private Path directory;

  private static Set<String> threads() {
    Set<String> names = new TreeSet<>();
    for (Thread each : Thread.getAllStackTraces().keySet()) {
      String name = each.getName();
      if (name.contains("etty") || name.startsWith("qtp") || name.startsWith("kblake")) {
        names.add(name + " " + each.getId());
      }
    }
    return names;
  }

  @Test
  void allEndAndLeaveNothingBehind() throws Exception {
    CommandFixture fixture = CommandFixture.mixed(directory);
    fixture.backfill();
    Set<String> before = threads();
    ServerLimits usual = ServerLimits.defaults();
    // The machine may be slow.
    ServerLimits patient =
        new ServerLimits(
            usual.trends(),
            usual.exports(),
            usual.streams(),
            usual.waiting(),
            Duration.ofMinutes(1),
            usual.trendTime(),
            usual.exportTime(),
            usual.idle(),
            usual.stop(),
            usual.connections());
    try (ServedSample server =
        new ServedSample(
            fixture.archive(), fixture.store(), AccessSettings.open(), patient, null)) {
      List<byte[]> expected = new ArrayList<>();
      for (String path : QUESTIONS) {
        expected.add(server.bytes(path));
      }
      HttpClient client = HttpClient.newHttpClient();
      List<CompletableFuture<HttpResponse<byte[]>>> answers = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        String path = QUESTIONS.get(i % QUESTIONS.size());
        answers.add(
            client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                    .build(),
                HttpResponse.BodyHandlers.ofByteArray()));
      }
      for (int i = 0; i < REQUESTS; i++) {
        HttpResponse<byte[]> answer = answers.get(i).get(100, TimeUnit.SECONDS);
        int question = i % QUESTIONS.size();
        assertThat(answer.statusCode()).as(QUESTIONS.get(question)).isEqualTo(200);
        assertThat(answer.body()).as(QUESTIONS.get(question)).isEqualTo(expected.get(question));
      }
      Await.await(
          "memory and places",
          () -> {
            String metrics = RawExchange.ask(server.port(), RawExchange.request("GET", "/metrics"));
            return metrics.contains("kblake_serve_arrow_bytes 0")
                && metrics.contains("kblake_serve_active{door=\"api\"} 0")
                && metrics.contains("kblake_serve_active{door=\"appliance\"} 0");
          });
    }
    Await.await(
        "threads of the server",
        () -> {
          Set<String> left = threads();
          left.removeAll(before);
          return left.isEmpty();
        });
  }
}
