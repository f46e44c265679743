package org.kblake.test.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.query.ArchiveReader;
import org.kblake.server.internal.data.AnswerMemory;
import org.kblake.server.internal.data.ServedArchive;
import org.kblake.server.internal.http.HttpService;
import org.kblake.server.internal.http.HttpSettings;
import org.kblake.server.internal.live.LiveDoor;
import org.kblake.server.internal.live.LiveLimits;
import org.kblake.server.settings.AccessSettings;
import org.kblake.server.settings.ServerLimits;
import org.kblake.test.fixture.Await;

/** {@code /api/v1/live} on logs that grow. */
@Timeout(60)
final class LiveApiTest {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000L;
  private static final long BEGIN = 1_647_281_880L * SECOND;
  private static final String FROM = "&from=@1647281880";
  private static final LiveLimits LIMITS =
      new LiveLimits(2, Duration.ofMillis(50), Duration.ofMillis(400));
  private static final String ACTIVE = "kblake_serve_active{door=\"live\"} ";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<AutoCloseable> open = new ArrayList<>();

  @SuppressWarnings("NullAway.Init")
  private LiveDoor door;

  @SuppressWarnings("NullAway.Init")
  private HttpService http;

  /** A reader fails to close if a stream has not closed its follower. */
  @AfterEach
  void close() throws Exception {
    for (int i = open.size() - 1; i >= 0; i--) {
      open.get(i).close();
    }
  }

  private LogWriter pair(String group, String name) throws IOException {
    Group of = Group.parse(group);
    LogWriter writer =
        LogWriter.create(
            directory,
            of,
            PairName.at(of.name(), BEGIN, ZONE).stamp(),
            ByteOrder.BIG_ENDIAN,
            new RecordTable(List.of(new RecordEntry(0, name, ValueType.DOUBLE, 1))));
    open.add(writer);
    writer.milestone(BEGIN);
    writer.flush();
    return writer;
  }

  /** Writes the events from one number to another, a millisecond apart. */
  private static void write(LogWriter writer, int from, int to) throws IOException {
    for (int i = from; i < to; i++) {
      writer.number(0, BEGIN + i * MILLI, 1, 0, Double.doubleToRawLongBits(i));
    }
    writer.flush();
  }

  private void serve() throws IOException {
    ArchiveReader reader = ArchiveReader.builder().archive(directory).open();
    open.add(reader);
    ServedArchive archive =
        new ServedArchive(
            reader,
            ZONE,
            InstantSource.system(),
            Duration.ofDays(365),
            new AnswerMemory(1 << 20, Duration.ZERO));
    open.add(archive);
    door = new LiveDoor(archive, LIMITS);
    http =
        HttpService.start(
            new HttpSettings(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                AccessSettings.open(),
                ServerLimits.defaults(),
                InstantSource.system(),
                null),
            List.of(door),
            archive::memoryInUse,
            reader::groups);
    open.add(http);
    open.add(door);
  }

  private HttpResponse<InputStream> get(String query) throws Exception {
    return client.send(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + http.port() + "/api/v1/live" + query))
            .build(),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  private static BufferedReader reader(InputStream body) {
    return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  /** Returns the data of the next message. */
  private static JsonNode message(BufferedReader body, String event) throws IOException {
    String line = body.readLine();
    while (line != null && (line.isEmpty() || line.startsWith(":"))) {
      line = body.readLine();
    }
    assertThat(line).isEqualTo("event: " + event);
    String data = Objects.requireNonNull(body.readLine());
    assertThat(data).startsWith("data: ");
    assertThat(body.readLine()).isEmpty();
    return JSON.readTree(data.substring("data: ".length()));
  }

  /** Reads events until each channel has a number of them. */
  private static void read(BufferedReader body, List<Integer> p, List<Integer> q, int each)
      throws IOException {
    while (p.size() < each || q.size() < each) {
      JsonNode events = message(body, "events");
      boolean isP = events.get("channel").textValue().equals("P");
      assertThat(events.get("group").textValue()).isEqualTo(isP ? "VA/CCG" : "BM/DCCT");
      for (int i = 0; i < events.get("time").size(); i++) {
        int number = events.get("value").get(i).intValue();
        assertThat(events.get("time").get(i).longValue()).isEqualTo(BEGIN / MILLI + number);
        assertThat(events.get("severity").get(i).intValue()).isEqualTo(1);
        assertThat(events.get("state").get(i).textValue()).isEqualTo("value");
        (isP ? p : q).add(number);
      }
    }
  }

  @Test
  void historyAndNewEventsComeOnceAndInOrder() throws Exception {
    LogWriter first = pair("VA/CCG", "P");
    LogWriter second = pair("BM/DCCT", "Q");
    write(first, 0, 2500);
    write(second, 0, 2500);
    serve();
    List<Integer> p = new ArrayList<>();
    List<Integer> q = new ArrayList<>();
    HttpResponse<InputStream> response = get("?channel=P&channel=Q" + FROM);
    assertThat(response.headers().firstValue("Content-Type").orElse(""))
        .startsWith("text/event-stream");
    assertThat(response.headers().firstValue("Kblake-Complete")).hasValue("unknown");
    try (BufferedReader body = reader(response.body())) {
      write(first, 2500, 2600);
      read(body, p, q, 2500);
      write(first, 2600, 3000);
      write(second, 2500, 3000);
      read(body, p, q, 3000);
      door.close();
      JsonNode end = message(body, "end");
      assertThat(end.get("complete").booleanValue()).isTrue();
      assertThat(end.get("reason").textValue()).isEqualTo("the server ends");
      assertThat(body.readLine()).isNull();
    }
    List<Integer> all = IntStream.range(0, 3000).boxed().toList();
    assertThat(p).isEqualTo(all);
    assertThat(q).isEqualTo(all);
  }

  @Test
  void withoutFromThereIsNoHistory() throws Exception {
    write(pair("VA/CCG", "P"), 0, 10);
    serve();
    try (BufferedReader body = reader(get("?channel=P").body())) {
      assertThat(body.readLine()).isEqualTo(":");
      door.close();
      message(body, "end");
    }
  }

  @Test
  void aClientThatGoesAwayEndsItsFollower() throws Exception {
    write(pair("VA/CCG", "P"), 0, 10);
    serve();
    InputStream body = get("?channel=P" + FROM).body();
    assertThat(body.read()).isEqualTo(':');
    assertThat(door.streams()).isEqualTo(1);
    body.close();
    awaitNoStream();
  }

  /**
   * A client that reads nothing holds its thread no longer than the limit, and its place neither.
   */
  @Test
  void aWriteWithoutProgressEndsTheStream() throws Exception {
    write(pair("VA/CCG", "P"), 0, 300_000);
    serve();
    try (Socket socket = new Socket()) {
      socket.setReceiveBufferSize(4096);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), http.port()));
      String request = "GET /api/v1/live?channel=P" + FROM + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      assertThat(door.streams()).isEqualTo(1);
      awaitNoStream();
      Await.await("no stream in work", () -> metrics().contains(ACTIVE + "0.0\n"));
    }
  }

  private String metrics() throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http.port() + "/metrics"))
                .build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private void awaitNoStream() throws Exception {
    Await.await("no stream", () -> door.streams() == 0);
  }

  @Test
  void aStreamAboveTheLimitIsRefused() throws Exception {
    write(pair("VA/CCG", "P"), 0, 10);
    serve();
    try (InputStream first = get("?channel=P").body();
        InputStream second = get("?channel=P").body()) {
      HttpResponse<InputStream> third = get("?channel=P");
      assertThat(third.statusCode()).isEqualTo(429);
      assertThat(third.headers().firstValue("Retry-After")).hasValue("10");
      assertThat(JSON.readTree(third.body()).get("error").textValue()).contains("the limit is 2");
      assertThat(first.read()).isEqualTo(':');
      assertThat(second.read()).isEqualTo(':');
    }
    awaitNoStream();
    assertThat(get("?channel=NONE").statusCode()).isEqualTo(404);
    assertThat(get("?channel=P&from=soon").statusCode()).isEqualTo(400);
    assertThat(door.streams()).isZero();
  }
}
