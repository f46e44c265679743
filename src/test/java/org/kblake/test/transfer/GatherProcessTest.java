package org.kblake.test.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;

/** {@code kblake gather} and {@code kblake run} with collectors, as processes that are killed. */
final class GatherProcessTest {

  private static final Pattern METRICS = Pattern.compile("metrics: (http\\S+)");

  @TempDir(cleanup = org.junit.jupiter.api.io.CleanupMode.ON_SUCCESS)
  private Path directory;

  @SuppressWarnings("NullAway.Init")
  private GatherFixture gather;

  @BeforeEach
  void prepare() throws IOException {
    gather = new GatherFixture(directory);
  }

  @AfterEach
  void stop() {
    gather.close();
  }

  private void collectAt(int port) throws Exception {
    gather.settings(
        "collector",
        "archive = \"logs\"",
        "[gather]",
        "listen = \"127.0.0.1:" + port + "\"",
        "data-port = \"0\"",
        "metrics-listen = \"127.0.0.1:0\"");
  }

  private void buildFrom(int port, String... more) throws IOException {
    gather.settings(
        "builder",
        "archive = \"archive\"",
        "store = \"store\"",
        "closed-after = \"1s\"",
        "[run]",
        "gather-name = \"b1\"",
        "gather = [\"127.0.0.1:" + port + "\"]",
        "status-interval = \"200ms\"",
        "seal-age = \"1s\"",
        "recheck = \"1s\"",
        String.join("\n", more));
  }

  private String get(String... options) {
    KblakeRun run =
        gather.run(
            List.of(
                    List.of("get", "-q", "--from", "2016-05-15", "--to", "2016-05-18", "*"),
                    List.of(options))
                .stream()
                .flatMap(List::stream)
                .toArray(String[]::new));
    assertThat(run.status()).as(run.err()).isZero();
    return run.out();
  }

  private String metrics() throws Exception {
    Matcher address = METRICS.matcher(gather.logged("collector"));
    assertThat(address.find()).isTrue();
    HttpRequest request = HttpRequest.newBuilder(URI.create(address.group(1))).build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private String status() {
    KblakeRun run = gather.run("status", "--config=builder.toml");
    return run.out() + run.err();
  }

  @Test
  void aBuilderThatIsKilledHasTheAnswersOfItsCollectorAndMakesBlocks() throws Exception {
    gather.grow(0.3);
    collectAt(0);
    int port = gather.collect("collector");
    collectAt(port);
    buildFrom(port);
    gather.start("builder", List.of(), "run");
    gather.awaitLogs();
    gather.kill("builder");
    gather.grow(0.6);
    gather.start("builder", List.of(), "run");
    gather.awaitLogs();
    gather.kill("collector");
    await("the status", () -> status().contains("collector is not connected: collector=127.0.0.1"));
    gather.grow(1);
    assertThat(gather.collect("collector")).isEqualTo(port);
    gather.awaitAll();
    await(
        "no missing pairs",
        () -> metrics().contains("kblake_gather_missing_pairs{builder=\"b1\"} 0"));
    assertThat(metrics())
        .contains("kblake_gather_builders 1")
        .contains("kblake_gather_failed_groups{builder=\"b1\"} 0")
        .containsPattern("kblake_gather_sent_bytes\\{builder=\"b1\"} [1-9]");
    String events = get("--archive=logs");
    assertThat(events.lines().count()).isGreaterThan(27_000);
    assertThat(get("--archive=archive").equals(events)).isTrue();
    await("blocks", () -> status().contains("924 KiB raw, 100% in"));
    assertThat(get("--config=builder.toml").equals(events)).as("from columns").isTrue();
  }
}
