package org.kblake.cli.run.status;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.kblake.server.settings.AccessToken;
import org.kblake.server.settings.AccessTokens;

/** The answers of {@link MetricsServer}. */
final class MetricsAnswer {

  private static final String TEXT = "text/plain";
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  private final Supplier<@Nullable AccessTokens> tokens;
  private final Supplier<String> metrics;
  private final Supplier<@Nullable String> unready;

  /**
   * @param tokens what clients must send for the metrics; null if everyone may ask
   * @param metrics the metrics in Prometheus's text format
   * @param unready the reason why the process is not ready; null if it is ready
   */
  MetricsAnswer(
      Supplier<@Nullable AccessTokens> tokens,
      Supplier<String> metrics,
      Supplier<@Nullable String> unready) {
    this.tokens = tokens;
    this.metrics = metrics;
    this.unready = unready;
  }

  /** Returns the bytes of the answer to a request. */
  byte[] to(MetricsRequest request) {
    String method = request.method();
    if (method.isEmpty()) {
      return bytes("400 Bad Request", TEXT, "no request of HTTP/1.1\n", true);
    }
    boolean head = method.equals("HEAD");
    if (!head && !method.equals("GET")) {
      return bytes("405 Method Not Allowed\r\nAllow: GET, HEAD", TEXT, "only GET\n", true);
    }
    return switch (request.path()) {
      case "/metrics" -> {
        String why = refusal(request);
        yield why == null
            ? bytes("200 OK", METRICS, metrics.get(), !head)
            : bytes("401 Unauthorized\r\nWWW-Authenticate: Bearer", TEXT, why + "\n", !head);
      }
      case "/health" -> bytes("200 OK", TEXT, "alive\n", !head);
      case "/ready" -> {
        String why = unready.get();
        yield why == null
            ? bytes("200 OK", TEXT, "ready\n", !head)
            : bytes("503 Service Unavailable", TEXT, why + "\n", !head);
      }
      default -> bytes("404 Not Found", TEXT, "/metrics, /health, /ready\n", !head);
    };
  }

  /** Returns why a client may not ask; null if it may. */
  private @Nullable String refusal(MetricsRequest request) {
    AccessTokens accepted = tokens.get();
    if (accepted == null) {
      return null;
    }
    AccessToken token = accepted.findBearer(request.authorization());
    if (token == null) {
      return "send the token: Authorization: Bearer TOKEN";
    }
    return token.isExpired(Instant.now()) ? token.expiry() : null;
  }

  private static byte[] bytes(String status, String type, String text, boolean withBody) {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    byte[] head =
        "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            .formatted(status, type, body.length)
            .getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(head, head.length + (withBody ? body.length : 0));
    System.arraycopy(body, 0, all, head.length, all.length - head.length);
    return all;
  }
}
