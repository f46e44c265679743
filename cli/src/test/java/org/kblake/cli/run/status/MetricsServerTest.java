package org.kblake.cli.run.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.settings.ListenAddress;
import org.kblake.server.settings.AccessTokens;

/** The answers of the metrics server, also to clients that send too slowly or too much. */
final class MetricsServerTest {

  private static final String TOKEN = "0123456789abcdef-token";
  private static final String HALF = "GET /health HTTP/1.1\r\nHost: x\r\n";
  private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(10);

  @TempDir private Path directory;

  private final List<AutoCloseable> opened = new ArrayList<>();

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private MetricsServer server(@Nullable AccessTokens tokens, long requestNanos)
      throws IOException {
    MetricsServer server =
        MetricsServer.start(
            ListenAddress.parse("127.0.0.1:0"),
            new MetricsAnswer(() -> tokens, () -> "kblake_ready 1.0\n", () -> "not yet"),
            requestNanos);
    opened.add(server);
    return server;
  }

  /** Connects from an address of this host. All of 127.0.0.0/8 are such. */
  private Socket connect(MetricsServer server, String from) throws IOException {
    Socket client = new Socket();
    opened.add(client);
    client.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
    client.connect(server.address());
    client.setSoTimeout((int) Duration.ofSeconds(30).toMillis());
    return client;
  }

  private static void send(Socket client, String text) throws IOException {
    client.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static String read(Socket client) throws IOException {
    return new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  private String ask(MetricsServer server, String from, String... lines) throws IOException {
    try (Socket client = connect(server, from)) {
      send(client, String.join("\r\n", lines) + "\r\n\r\n");
      return read(client);
    }
  }

  @Test
  void answersWithAnyHost() throws IOException {
    MetricsServer server = server(null, LONG_NANOS);
    for (String host : List.of("Host: kblake.example.org", "Host: 10.1.2.3:9464", "X: no host")) {
      assertThat(ask(server, "127.0.0.1", "GET /health HTTP/1.1", host))
          .startsWith("HTTP/1.1 200 OK\r\n")
          .endsWith("\r\n\r\nalive\n");
      assertThat(ask(server, "127.0.0.1", "GET /ready?x=1 HTTP/1.0", host))
          .startsWith("HTTP/1.1 503 ")
          .endsWith("\r\n\r\nnot yet\n");
    }
    assertThat(ask(server, "127.0.0.1", "GET /metrics HTTP/1.1"))
        .contains("\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n")
        .endsWith("\r\n\r\nkblake_ready 1.0\n");
    assertThat(ask(server, "127.0.0.1", "HEAD /metrics HTTP/1.1"))
        .startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4")
        .contains("\r\nContent-Length: 17\r\n")
        .endsWith("\r\n\r\n");
    assertThat(ask(server, "127.0.0.1", "GET /x HTTP/1.1")).startsWith("HTTP/1.1 404 ");
    assertThat(ask(server, "127.0.0.1", "POST /health HTTP/1.1")).startsWith("HTTP/1.1 405 ");
    assertThat(ask(server, "127.0.0.1", "nonsense")).startsWith("HTTP/1.1 400 ");
    assertThat(ask(server, "127.0.0.1", "GET /" + "x".repeat(20_000) + " HTTP/1.1"))
        .startsWith("HTTP/1.1 400 ");
  }

  /** A probe of the process would kill it otherwise. */
  @Test
  void halfRequestsDoNotDelayOthers() throws IOException {
    MetricsServer server = server(null, LONG_NANOS);
    for (int i = 0; i < MetricsCapacity.OF_AN_ADDRESS; i++) {
      send(connect(server, "127.0.0.2"), HALF);
    }
    assertThat(ask(server, "127.0.0.1", "GET /health HTTP/1.1")).endsWith("alive\n");
    // One more of the same address is refused: its connection ends, or is reset.
    assertThat(isRefused(server, "127.0.0.2")).isTrue();
    assertThat(ask(server, "127.0.0.1", "GET /health HTTP/1.1")).endsWith("alive\n");
  }

  private boolean isRefused(MetricsServer server, String from) throws IOException {
    Socket client = connect(server, from);
    try {
      return client.getInputStream().read() < 0;
    } catch (SocketException e) {
      return true;
    }
  }

  @Test
  void aRequestThatIsNotCompleteInTimeEnds() throws IOException {
    MetricsServer server = server(null, TimeUnit.MILLISECONDS.toNanos(200));
    List<Socket> halves = new ArrayList<>();
    for (int i = 0; i < MetricsCapacity.OF_AN_ADDRESS; i++) {
      halves.add(connect(server, "127.0.0.1"));
    }
    // Some send nothing at all.
    for (Socket half : halves.subList(0, halves.size() / 2)) {
      send(half, HALF);
    }
    for (Socket half : halves) {
      assertThat(half.getInputStream().read()).isNegative();
    }
    // The last of them may still be counted when its client sees its end.
    assertThat(ask(server, "127.0.0.2", "GET /health HTTP/1.1")).endsWith("alive\n");
  }

  @Test
  void loopbackHasAReserve() throws IOException {
    MetricsCapacity capacity = new MetricsCapacity();
    int admitted = 0;
    for (int address = 1; address <= 100; address++) {
      for (int i = 0; i < 20; i++) {
        admitted += capacity.admit(InetAddress.getByName("192.0.2." + address)) ? 1 : 0;
      }
    }
    assertThat(admitted).isEqualTo(MetricsCapacity.CONNECTIONS - MetricsCapacity.FOR_LOOPBACK);
    InetAddress here = InetAddress.getLoopbackAddress();
    for (int i = 0; i < MetricsCapacity.FOR_LOOPBACK; i++) {
      assertThat(capacity.admit(here)).isTrue();
    }
    assertThat(capacity.admit(here)).isFalse();
    capacity.release(here);
    assertThat(capacity.admit(here)).isTrue();
  }

  @Test
  void onlyMetricsNeedTheToken() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), TOKEN + "\n");
    MetricsServer server = server(AccessTokens.read(file), LONG_NANOS);
    String request = "GET /metrics HTTP/1.1";
    assertThat(ask(server, "127.0.0.1", request))
        .startsWith("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n")
        .doesNotContain("kblake_ready");
    assertThat(ask(server, "127.0.0.1", request, "Authorization: Bearer " + TOKEN + "x"))
        .startsWith("HTTP/1.1 401 ");
    assertThat(ask(server, "127.0.0.1", request, "authorization: bearer " + TOKEN))
        .endsWith("kblake_ready 1.0\n");
    assertThat(ask(server, "127.0.0.1", "GET /health HTTP/1.1")).endsWith("alive\n");
    assertThat(ask(server, "127.0.0.1", "GET /ready HTTP/1.1")).endsWith("not yet\n");
  }

  @Test
  void anExpiredTokenIsRefusedAndSaysSo() throws IOException {
    Path file = directory.resolve("token");
    Files.writeString(file, "old 2026-01-31 " + TOKEN + "\nnew fedcba9876543210\n");
    MetricsServer server = server(AccessTokens.read(file), LONG_NANOS);
    String request = "GET /metrics HTTP/1.1";
    assertThat(ask(server, "127.0.0.1", request, "Authorization: Bearer " + TOKEN))
        .startsWith("HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\n")
        .endsWith("the token old has expired: its last day was 2026-01-31 (UTC)\n");
    assertThat(ask(server, "127.0.0.1", request, "Authorization: Bearer fedcba9876543210"))
        .endsWith("kblake_ready 1.0\n");
  }
}
