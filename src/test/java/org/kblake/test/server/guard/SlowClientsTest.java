package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ConnectionLimits;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;
import org.kblake.test.server.RawExchange;
import org.kblake.test.server.ServedSample;

/** Long answers to clients that read slowly, or not at all. */
@Timeout(120)
final class SlowClientsTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long BEGIN = 1_463_324_400L * 1_000_000_000L;
  private static final int CHANNELS = 4;

  /** The answers in all forms are longer than what the buffers of a connection take. */
  private static final int EVENTS = 400_000;

  private static final String RANGE = "&from=@1463324400&to=@1463324900";
  private static final String DATA =
      "/api/v1/data?channel=P0&channel=P1&channel=P2&channel=P3" + RANGE + "&format=";
  private static final String SHORT =
      "/api/v1/data?channel=P0&from=@1463324400&to=@1463324401&format=csv";
  private static final String TREND =
      "/api/v1/trend?channel=P0&channel=P1&channel=P2&channel=P3&points=100000" + RANGE;
  private static final String APPLIANCE =
      "/retrieval/data/getDataForPVs.%s?pv=P0&pv=P1&pv=P2&pv=P3"
          + "&from=2016-05-15T15:00:00Z&to=2016-05-15T15:10:00Z";
  private static final String SAMPLES =
      "/retrieval/data/getData.%s?pv=P0&from=2016-05-15T15:00:00Z&to=2016-05-15T15:10:00Z";
  private static final List<String> EXPORTS =
      List.of(
          DATA + "json",
          DATA + "csv",
          DATA + "arrow",
          String.format(APPLIANCE, "raw"),
          String.format(APPLIANCE, "json"),
          String.format(SAMPLES, "csv"),
          String.format(SAMPLES, "txt"));

  private static final String CHANNELS_ASKED = "channel=P0&channel=P1&channel=P2&channel=P3";

  /**
   * All other kinds of answers that take long; a search of names is in {@link StoppedSearchTest}.
   */
  private static final List<String> LONG =
      List.of(
          TREND,
          "/api/v1/table?every=1ms&" + CHANNELS_ASKED + RANGE,
          "/api/v1/when?condition=P0%3E0" + RANGE,
          "/api/v1/moved?at=@1463324700&before=600s&" + CHANNELS_ASKED,
          "/api/v1/diff?at=@1463324500&and=@1463324800&" + CHANNELS_ASKED,
          SAMPLES.formatted("raw").replace("pv=P0", "pv=mean_1(P0)"),
          SAMPLES.formatted("json").replace("pv=P0", "pv=optimized_100000(P0)"),
          SAMPLES.formatted("csv").replace("pv=P0", "pv=nth_2(P0)"));

  @TempDir private static Path archive;

  @SuppressWarnings("NullAway.Init")
  private ServedSample server;

  @BeforeAll
  static void write() throws IOException {
    List<RecordEntry> records =
        IntStream.range(0, CHANNELS)
            .mapToObj(i -> new RecordEntry(i, "P" + i, ValueType.DOUBLE, 1))
            .toList();
    try (LogWriter writer =
        LogWriter.create(
            archive,
            Group.parse("VA/CCG"),
            PairName.at("CCG", BEGIN, ZONE).stamp(),
            ByteOrder.BIG_ENDIAN,
            new RecordTable(records))) {
      writer.milestone(BEGIN);
      for (int i = 0; i < EVENTS; i++) {
        writer.number(
            i % CHANNELS, BEGIN + i * 1_000_000L, 0, 0, Double.doubleToRawLongBits(Math.sin(i)));
      }
      writer.flush();
    }
  }

  private void start(Duration idle, Duration stop) throws IOException {
    start(idle, stop, Duration.ofMinutes(1));
  }

  private void start(Duration idle, Duration stop, Duration most) throws IOException {
    server =
        new ServedSample(
            archive,
            null,
            AccessSettings.open(),
            new ServerLimits(
                1,
                1,
                1,
                4,
                Duration.ofSeconds(30),
                most,
                most,
                idle,
                stop,
                ConnectionLimits.of(100)),
            null);
  }

  /** Fails if a request has not freed its memory, or has not closed what it reads. */
  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private String metrics() throws IOException {
    return RawExchange.ask(server.port(), request("GET", "/metrics"));
  }

  /** There is one place for exports: each of these requests needs that of the one before. */
  @Test
  void aClientThatStopsReadingGivesBackItsPlaceAndItsMemory() throws Exception {
    // A busy machine may take some of it between the connection and the request.
    start(Duration.ofSeconds(1), Duration.ofSeconds(5));
    for (String path : EXPORTS) {
      try (RawExchange stalled = RawExchange.withSmallWindow(server.port())) {
        stalled.send(request("GET", path));
        assertThat(stalled.readUntil("\r\n")).as(path).startsWith("HTTP/1.1 200");
        String after = RawExchange.ask(server.port(), request("GET", SHORT));
        assertThat(after).as("after " + path).startsWith("HTTP/1.1 200").contains("# complete");
      }
    }
    try (RawExchange stalled = RawExchange.withSmallWindow(server.port())) {
      stalled.send(request("GET", TREND));
      assertThat(stalled.readUntil("\r\n")).startsWith("HTTP/1.1 200");
      assertThat(RawExchange.ask(server.port(), request("GET", "/api/v1/channels")))
          .startsWith("HTTP/1.1 200");
    }
    Await.await("memory", () -> metrics().contains("kblake_serve_arrow_bytes 0.0"));
  }

  /** A client that goes away during an answer gives back its place at once. */
  @Test
  void aClientThatGoesAwayGivesBackItsPlace() throws Exception {
    start(Duration.ofSeconds(60), Duration.ofSeconds(5));
    for (String path : EXPORTS) {
      try (RawExchange gone = RawExchange.withSmallWindow(server.port())) {
        gone.send(request("GET", path));
        assertThat(gone.readUntil("\r\n")).as(path).startsWith("HTTP/1.1 200");
      }
    }
    assertThat(RawExchange.ask(server.port(), request("GET", SHORT))).contains("# complete");
  }

  /** After the first byte of an answer only its missing end tells that its time was over. */
  @Test
  void anAnswerThatTakesTooLongHasNoEnd() throws Exception {
    start(Duration.ofSeconds(60), Duration.ofSeconds(5), Duration.ofSeconds(4));
    for (String path : List.of(TREND, DATA + "json", String.format(APPLIANCE, "json"))) {
      try (RawExchange stalled = begun(path)) {
        Await.await("its place", this::isIdle);
        assertThat(stalled.rest()).matches(body -> !body.endsWith("0\r\n\r\n"));
      }
    }
  }

  /** Returns an answer whose first byte came in time, which may need more than one request. */
  private RawExchange begun(String path) throws Exception {
    for (int i = 0; i < 10; i++) {
      RawExchange exchange = RawExchange.withSmallWindow(server.port());
      exchange.send(request("GET", path));
      String line = exchange.readUntil("\r\n");
      if (!line.startsWith("HTTP/1.1 504")) {
        assertThat(line).as(path).startsWith("HTTP/1.1 200");
        return exchange;
      }
      exchange.close();
    }
    throw new AssertionError("late ten times: " + path);
  }

  /** Whether the client leaves during the work before the answer, or during the answer. */
  @Test
  void aClientThatLeavesEndsTheWorkOfEachKind() throws Exception {
    start(Duration.ofSeconds(60), Duration.ofSeconds(5));
    for (String path : Stream.concat(EXPORTS.stream(), LONG.stream()).toList()) {
      for (boolean reads : List.of(false, true)) {
        try (RawExchange leaves = RawExchange.withSmallWindow(server.port())) {
          leaves.send(request("GET", path));
          if (reads) {
            assertThat(leaves.readUntil("\r\n")).as(path).startsWith("HTTP/1.1 200");
          }
        }
        Await.await("the end of " + path, this::isIdle);
      }
    }
    assertThat(metrics()).contains("kblake_serve_arrow_bytes 0.0");
  }

  private boolean isIdle() throws IOException {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("kblake_serve_active") && !line.contains("operation"))
        .allMatch(line -> line.endsWith(" 0.0") || line.endsWith(" 0"));
  }

  /** The end of the server lets a reader have its whole answer, and cuts that of a stalled one. */
  @Test
  void theEndOfTheServerCompletesOrCutsAnswers() throws Exception {
    start(Duration.ofSeconds(60), Duration.ofSeconds(20));
    try (RawExchange reader = RawExchange.withSmallWindow(server.port())) {
      reader.send("GET " + DATA + "csv HTTP/1.1\r\nHost: localhost\r\n\r\n");
      reader.readUntil("\r\n\r\n");
      CompletableFuture<Void> closed = CompletableFuture.runAsync(this::close);
      assertThat(reader.rest().contains("# complete\n")).isTrue();
      closed.get(60, TimeUnit.SECONDS);
    }
    for (String path : EXPORTS) {
      start(Duration.ofSeconds(60), Duration.ofMillis(100));
      try (RawExchange stalled = RawExchange.withSmallWindow(server.port())) {
        stalled.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
        String header = stalled.readUntil("\r\n\r\n");
        assertThat(header).contains("Transfer-Encoding: chunked", "Kblake-Complete: unknown");
        server.close();
        assertThat(stalled.rest())
            .as("the body of %s has no end", path)
            .matches(body -> !body.endsWith("0\r\n\r\n"))
            .matches(body -> !body.contains("# complete"))
            .matches(body -> !body.contains("\"complete\":true"));
      }
    }
  }

  /**
   * The end of a compressed answer is missing in both ways: its last chunk, and that of its form.
   */
  @Test
  void aCompressedAnswerThatIsCutHasNoEnd() throws Exception {
    for (String encoding : List.of("zstd", "gzip")) {
      start(Duration.ofSeconds(60), Duration.ofMillis(100));
      try (RawExchange stalled = RawExchange.withSmallWindow(server.port())) {
        stalled.send(request("GET", DATA + "json", "Accept-Encoding: " + encoding));
        assertThat(stalled.readUntil("\r\n\r\n"))
            .contains("Content-Encoding: " + encoding, "Kblake-Complete: unknown");
        server.close();
        assertThat(stalled.rest()).matches(body -> !body.endsWith("0\r\n\r\n"));
      }
    }
  }

  /** The interrupt of a request that takes too long closes no file of another request. */
  @Test
  void aRequestThatTakesTooLongHarmsNoOther() throws Exception {
    server =
        new ServedSample(
            archive,
            null,
            AccessSettings.open(),
            new ServerLimits(
                4,
                4,
                1,
                100,
                Duration.ofSeconds(30),
                Duration.ofMillis(5),
                Duration.ofMinutes(1),
                Duration.ofSeconds(60),
                Duration.ofSeconds(20),
                ConnectionLimits.of(100)),
            null);
    String expected = body(SHORT);
    ExecutorService clients = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> asked = new ArrayList<>();
      for (int client = 0; client < 3; client++) {
        asked.add(
            clients.submit(
                () -> {
                  int cut = 0;
                  for (int i = 0; i < 15; i++) {
                    String answer = RawExchange.ask(server.port(), request("GET", TREND));
                    cut += answer.startsWith("HTTP/1.1 504 ") ? 1 : 0;
                  }
                  return cut;
                }));
      }
      while (!asked.stream().allMatch(Future::isDone)) {
        assertThat(body(SHORT)).isEqualTo(expected);
      }
      for (Future<Integer> each : asked) {
        assertThat(each.get()).as("requests that were late").isPositive();
      }
    } finally {
      clients.shutdownNow();
    }
    Await.await("work", () -> metrics().contains("kblake_serve_active{door=\"api\"} 0"));
    assertThat(body(SHORT)).isEqualTo(expected);
  }

  private String body(String path) throws IOException {
    String answer = RawExchange.ask(server.port(), request("GET", path));
    assertThat(answer).startsWith("HTTP/1.1 200");
    return answer.substring(answer.indexOf("\r\n\r\n"));
  }

  /** A picture is sent when it is finished, so it is never cut between two lines. */
  @Test
  void aPictureIsSentAsAWhole() throws Exception {
    start(Duration.ofSeconds(60), Duration.ofSeconds(5));
    assertThat(RawExchange.ask(server.port(), request("GET", String.format(SAMPLES, "svg"))))
        .startsWith("HTTP/1.1 200")
        .contains("Kblake-Complete: true", "</svg>\n");
  }

  private void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
