package org.kblake.test.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.server.RawExchange.request;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
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

/** Clients that begin requests, and do not end them or do not take their answers. */
@Timeout(120)
final class HalfRequestsTest {

  private static final String HALF = "GET /health HTTP/1.1\r\nHost: localhost\r\n";

  @TempDir private static Path directory;

  @BeforeAll
  static void write() throws Exception {
    CommandFixture.mixed(directory);
  }

  private static ServedSample serve(ConnectionLimits connections) throws IOException {
    Duration minute = Duration.ofMinutes(1);
    return new ServedSample(
        directory.resolve("archive"),
        null,
        AccessSettings.open(),
        new ServerLimits(
            1, 1, 1, 1, minute, minute, minute, minute, Duration.ofSeconds(1), connections),
        null);
  }

  private static ConnectionLimits limits(int all, int ofAddress, Duration header) {
    return new ConnectionLimits(all, ofAddress, header, 1024);
  }

  private static String health(ServedSample server) throws IOException {
    return RawExchange.ask(server.port(), request("GET", "/health"));
  }

  /** Sends a byte again and again, until the server ends the connection. */
  private static String trickle(RawExchange exchange, String text) throws IOException {
    ScheduledExecutorService sender = Executors.newSingleThreadScheduledExecutor();
    Runnable send =
        () -> {
          try {
            exchange.send(text);
          } catch (IOException e) {
            // The server has ended the connection.
            throw new UncheckedIOException(e);
          }
        };
    ScheduledFuture<?> sending = sender.scheduleAtFixedRate(send, 0, 50, TimeUnit.MILLISECONDS);
    try {
      return exchange.rest();
    } finally {
      sending.cancel(true);
      sender.shutdownNow();
    }
  }

  /** Each byte would begin the idle time again. */
  @Test
  void aHeaderThatDoesNotEndIsCut() throws Exception {
    try (ServedSample server = serve(limits(100, 100, Duration.ofMillis(500)));
        RawExchange slow = new RawExchange(server.port());
        RawExchange second = new RawExchange(server.port())) {
      slow.send(HALF);
      assertThat(trickle(slow, "X: y\r\n")).isEmpty();
      second.send(HALF + "\r\n");
      assertThat(second.readUntil("alive\n")).startsWith("HTTP/1.1 200");
      assertThat(trickle(second, "X")).as("the next header of a connection").isEmpty();
    }
  }

  @Test
  void aBodyThatComesTooSlowlyIsCut() throws Exception {
    try (ServedSample server = serve(limits(100, 100, Duration.ofMillis(500)));
        RawExchange slow = new RawExchange(server.port())) {
      slow.send(
          """
          POST /retrieval/data/getDataAtTime HTTP/1.1\r
          Host: localhost\r
          Content-Length: 100000\r
          \r
          """);
      assertThat(trickle(slow, "x")).doesNotContain("200 OK");
      assertThat(RawExchange.ask(server.port(), request("GET", "/api/v1/channels")))
          .as("its place is free")
          .startsWith("HTTP/1.1 200");
    }
  }

  @Test
  void anAnswerThatIsTakenTooSlowlyIsCut() throws Exception {
    try (ServedSample server = serve(limits(100, 100, Duration.ofMillis(500)));
        RawExchange slow = RawExchange.withSmallWindow(server.port())) {
      // Idle connections are cut after a minute only.
      slow.send(request("GET", "/api/v1/data?channel=*&from=2016-05-16&to=2016-05-17"));
      assertThat(
              RawExchange.ask(
                  server.port(), request("GET", "/api/v1/data?channel=*&from=@0&to=@1")))
          .as("its place is free")
          .startsWith("HTTP/1.1 ");
      assertThat(slow.rest()).doesNotEndWith("\r\n0\r\n\r\n");
    }
  }

  /** The connections of the attack: before, 4,096 of them shut the server for all others. */
  @Test
  void connectionsWithoutARequestGiveWay() throws Exception {
    List<RawExchange> half = new ArrayList<>();
    try (ServedSample server = serve(ConnectionLimits.defaults())) {
      for (int i = 0; i < 4_150; i++) {
        half.add(new RawExchange(server.port()));
        half.get(i).send(HALF);
      }
      for (String path : List.of("/health", "/ready", "/metrics", "/api/v1/channels")) {
        assertThat(RawExchange.ask(server.port(), request("GET", path)))
            .as(path)
            .startsWith("HTTP/1.1 200");
      }
      assertThat(half.get(0).rest()).as("the oldest one").isEmpty();
    } finally {
      for (RawExchange each : half) {
        each.close();
      }
    }
  }

  /** Addresses of this host other than 127.0.0.1 count as clients elsewhere. */
  @Test
  void anAddressHasALimit() throws Exception {
    List<RawExchange> half = new ArrayList<>();
    try (ServedSample server = serve(limits(30, 5, Duration.ofMinutes(1)));
        RawExchange other = RawExchange.from("127.0.0.3", server.port())) {
      other.send(HALF);
      // Connections that are made at the same time may be accepted in any order.
      for (int batch = 0; batch < 100; batch += 5) {
        for (int i = batch; i < batch + 5; i++) {
          half.add(RawExchange.from("127.0.0.2", server.port()));
          half.get(i).send(HALF);
        }
        List<Integer> older = IntStream.range(0, batch).boxed().toList();
        Await.await("the end of all but the latest five", () -> ended(half).equals(older));
      }
      other.send("\r\n");
      assertThat(other.readUntil("alive\n")).startsWith("HTTP/1.1 200");
      half.get(99).send("\r\n");
      assertThat(half.get(99).readUntil("alive\n")).startsWith("HTTP/1.1 200");
      assertThat(health(server)).startsWith("HTTP/1.1 200");
    } finally {
      for (RawExchange each : half) {
        each.close();
      }
    }
  }

  /** Returns the indexes of connections that have ended. */
  private static List<Integer> ended(List<RawExchange> connections) throws IOException {
    List<Integer> ended = new ArrayList<>();
    for (int i = 0; i < connections.size(); i++) {
      if (connections.get(i).hasEnded()) {
        ended.add(i);
      }
    }
    return ended;
  }

  /** Requests in work keep their connections, and leave room for probes of this host. */
  @Test
  void thereIsRoomForThisHost() throws Exception {
    List<RawExchange> works = new ArrayList<>();
    try (ServedSample server = serve(limits(20, 100, Duration.ofMinutes(1)))) {
      String post = "POST /retrieval/data/getDataAtTime HTTP/1.1\r\nHost: localhost\r\n";
      for (int i = 0; i < 10; i++) {
        works.add(RawExchange.from("127.0.0.2", server.port()));
        works.get(i).send(post + "Content-Length: 10\r\n\r\n");
      }
      List<String> answers =
          IntStream.range(0, 50)
              .mapToObj(
                  i -> {
                    try {
                      return health(server);
                    } catch (IOException e) {
                      throw new java.io.UncheckedIOException(e);
                    }
                  })
              .collect(Collectors.toList());
      assertThat(answers).allMatch(answer -> answer.startsWith("HTTP/1.1 200"));
    } finally {
      for (RawExchange each : works) {
        each.close();
      }
    }
  }
}
