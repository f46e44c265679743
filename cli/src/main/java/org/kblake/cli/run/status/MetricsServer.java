package org.kblake.cli.run.status;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.ListenAddress;
import org.kblake.ingest.internal.pace.Threads;

/** An HTTP server of {@code /metrics}, {@code /health} and {@code /ready}. It is read-only. */
public final class MetricsServer implements AutoCloseable {

  private static final int THREADS = 2;
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;
  private static final int NOT_ALLOWED = 405;
  private static final int NOT_READY = 503;

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(THREADS, Threads.named("kblake-http-"));

  private MetricsServer(HttpServer server, RunMetrics metrics, Supplier<@Nullable String> unready) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, metrics, unready));
    server.start();
  }

  /**
   * Starts the server.
   *
   * @param unready the reason why the process is not ready; null if it is ready
   */
  public static MetricsServer start(
      ListenAddress address, RunMetrics metrics, Supplier<@Nullable String> unready)
      throws IOException {
    try {
      return new MetricsServer(HttpServer.create(address.socketAddress(), 0), metrics, unready);
    } catch (IOException | IllegalArgumentException e) {
      throw new IOException("cannot listen: address=" + address + ", " + e.getMessage(), e);
    }
  }

  public InetSocketAddress address() {
    return server.getAddress();
  }

  private static void answer(
      HttpExchange exchange, RunMetrics metrics, Supplier<@Nullable String> unready)
      throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        send(exchange, NOT_ALLOWED, "only GET\n");
        return;
      }
      switch (exchange.getRequestURI().getPath()) {
        case "/metrics" -> {
          exchange
              .getResponseHeaders()
              .set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
          send(exchange, OK, metrics.scrape());
        }
        case "/health" -> send(exchange, OK, "alive\n");
        case "/ready" -> {
          String why = unready.get();
          send(exchange, why == null ? OK : NOT_READY, (why == null ? "ready" : why) + "\n");
        }
        default -> send(exchange, NOT_FOUND, "/metrics, /health, /ready\n");
      }
    }
  }

  private static void send(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().putIfAbsent("Content-Type", List.of("text/plain"));
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
