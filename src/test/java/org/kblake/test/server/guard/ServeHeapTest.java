package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.KblakeProcess;

/**
 * {@code kblake serve} with a small heap, and many large answers at once. It takes a minute, so it
 * runs with the tests of the tag {@code faults}.
 */
@Tag("faults")
@Timeout(600)
final class ServeHeapTest {

  private static final int REQUESTS = 16;
  private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:[0-9]+");
  private static final String DAY = "from=2016-05-16T00:00&to=2016-05-17T00:00";

  /** 62 channels. */
  private static final String SOME = "&channel=VALCCG:D00:000*:PRES";

  private static final List<String> LARGE =
      List.of(
          "/api/v1/channels?limit=200000",
          "/api/v1/channels?limit=200000&search=pres",
          "/api/v1/data?" + DAY + SOME,
          "/api/v1/trend?bins=1000&" + DAY + SOME,
          "/api/v1/table?every=1m&" + DAY + SOME,
          "/api/v1/values?at=2016-05-16T12:00" + SOME,
          "/retrieval/bpl/getMatchingPVs?limit=200000&pv=*");

  @TempDir private Path directory;

  @Test
  void answersAreSentOrRefused() throws Exception {
    ManyNames.write(directory.resolve("archive"));
    // On a busy machine so many answers may take longer than the usual minute.
    Files.writeString(directory.resolve("kblake.toml"), "[serve]\ntrend-time = \"5m\"\n");
    Path err = directory.resolve("err");
    Process serve =
        KblakeProcess.start(
            List.of("-Xmx512m", "-XX:+ExitOnOutOfMemoryError"),
            directory,
            err,
            "serve",
            "--archive",
            directory.resolve("archive").toString(),
            "--listen",
            "127.0.0.1:0");
    try {
      Await.await("the server", () -> ADDRESS.matcher(Files.readString(err)).find());
      Matcher address = ADDRESS.matcher(Files.readString(err));
      assertThat(address.find()).isTrue();
      for (String path : LARGE) {
        long sent;
        try {
          sent = answers(address.group() + path);
        } catch (ExecutionException e) {
          throw new AssertionError(path + ": " + Files.readString(err), e);
        }
        assertThat(sent).as("answers to %s: %s", path, Files.readString(err)).isPositive();
        assertThat(serve.isAlive()).as("%s: %s", path, Files.readString(err)).isTrue();
      }
      assertThat(Files.readString(err)).doesNotContain("Fatal", "OutOfMemory", "cannot answer");
    } finally {
      serve.destroy();
      assertThat(serve.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** Sends a request many times at once. Returns the number of answers with the status 200. */
  private static long answers(String uri) throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(REQUESTS);
    try {
      List<Future<Integer>> answers = new ArrayList<>();
      for (int i = 0; i < REQUESTS; i++) {
        answers.add(clients.submit(() -> status(uri)));
      }
      long sent = 0;
      for (Future<Integer> each : answers) {
        sent += each.get() == 200 ? 1 : 0;
      }
      return sent;
    } finally {
      clients.shutdownNow();
    }
  }

  /** Reads an answer to its end. The client fails if it is cut off. */
  private static int status(String uri) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(uri).toURL().openConnection();
    connection.setReadTimeout((int) TimeUnit.MINUTES.toMillis(4));
    int status = connection.getResponseCode();
    if (status == 200) {
      try (InputStream body = connection.getInputStream()) {
        byte[] bytes = new byte[1 << 16];
        while (body.read(bytes) >= 0) {
          // Only the end of the answer counts.
        }
      }
    } else {
      assertThat(status).as(uri).isIn(429, 503);
      assertThat(connection.getHeaderField("Retry-After")).as(uri).isNotNull();
    }
    return status;
  }
}
