package org.kblake.test.live.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.test.fixture.KblakeProcess;

/** {@code kblake run} on an archive of many groups, with little memory for each. */
final class ManyGroupsTest {

  private static final int GROUPS = 600;
  private static final int SYSTEMS = 6;

  /** 600 groups with a buffer of 256 KiB each would need 150 MiB. */
  private static final String HEAP = "-Xmx96m";

  /** The threads of the polls, of their queue, and all others of the process. */
  private static final int MAX_THREADS = 90;

  private static final Pattern ADDRESS = Pattern.compile("message=listens address=/?(\\S+)");
  private static final Pattern THREADS = Pattern.compile("(?m)^jvm_threads_peak_threads (\\d+)");

  @TempDir private Path directory;

  private void write() throws IOException {
    long now = TimeUnit.SECONDS.toNanos(Instant.now().getEpochSecond());
    for (int i = 0; i < GROUPS; i++) {
      String name = "G" + i;
      RecordTable records =
          new RecordTable(List.of(new RecordEntry(0, name + ":R", ValueType.DOUBLE, 1)));
      String stamp = PairName.at(name, now, ZoneId.of("UTC")).stamp();
      try (LogWriter writer =
          LogWriter.create(
              directory.resolve("archive"),
              new Group("S" + i % SYSTEMS, name),
              stamp,
              ByteOrder.BIG_ENDIAN,
              records)) {
        writer.milestone(now);
        writer.number(0, now + 1, 0, 0, i);
      }
    }
  }

  private HttpResponse<String> get(Path err, String path) throws Exception {
    Matcher address = ADDRESS.matcher(Files.readString(err));
    assertThat(address.find()).as(Files.readString(err)).isTrue();
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create("http://" + address.group(1) + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @EnabledIfEnvironmentVariable(
      named = "CI",
      matches = "true",
      disabledReason = "takes 2 s of a processor")
  @Test
  void isReadyWithFewThreadsAndASmallHeap() throws Exception {
    write();
    Files.writeString(
        directory.resolve("kblake.toml"),
        """
        archive = "archive"
        store = "store"
        zone = "UTC"
        [run]
        listen = "127.0.0.1:0"
        poll = "200ms"
        status-interval = "200ms"
        """);
    Path err = directory.resolve("err");
    Process process =
        KblakeProcess.start(List.of(HEAP, "-XX:+ExitOnOutOfMemoryError"), directory, err, "run");
    try {
      await("listens", () -> Files.readString(err).contains("message=listens"));
      await(
          "ready",
          () -> {
            assertThat(process.isAlive()).as(Files.readString(err)).isTrue();
            return get(err, "/ready").statusCode() == 200;
          });
      await(
          "the metrics of each group",
          () ->
              get(err, "/metrics").body().split("kblake_lag_seconds\\{", -1).length == GROUPS + 1);
      String metrics = get(err, "/metrics").body();
      Matcher threads = THREADS.matcher(metrics);
      assertThat(threads.find()).as(metrics).isTrue();
      assertThat(Integer.parseInt(threads.group(1))).isLessThan(MAX_THREADS);
    } finally {
      process.destroy();
      process.waitFor();
    }
    assertThat(Files.readString(err)).doesNotContain("OutOfMemory");
  }
}
