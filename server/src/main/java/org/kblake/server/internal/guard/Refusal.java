package org.kblake.server.internal.guard;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * The answer to a request that no door gets.
 *
 * @param status of HTTP
 * @param reason the name in metrics
 * @param message for the client's user
 * @param headers names and values
 */
record Refusal(int status, String reason, String message, Map<String, String> headers) {

  private static final int NO_CONTENT = 204;
  private static final ObjectMapper JSON = new ObjectMapper();

  Refusal(int status, String reason, String message) {
    this(status, reason, message, Map.of());
  }

  static Refusal busy(String problem) {
    return new Refusal(
        429, "busy", problem + "; ask again in some seconds", Map.of("Retry-After", "2"));
  }

  static Refusal ofClient(int most) {
    return new Refusal(
        429,
        "client",
        "this client has too many requests at once (at most "
            + most
            + ", and three quarters of the places, rounded down, and at least one); ask again in"
            + " some seconds",
        Map.of("Retry-After", "2"));
  }

  /**
   * Refuses a request whose answer has not begun in time.
   *
   * @param setting the key of the longest time
   */
  static Refusal late(Duration most, String setting) {
    return new Refusal(
        504,
        "time",
        "the answer did not begin within "
            + most.toMillis() / 1e3
            + " s ("
            + setting
            + " of the server); ask for a shorter time, fewer channels, or wider bins");
  }

  static Refusal stopping() {
    return new Refusal(
        503, "stopping", "the server ends", Map.of("Retry-After", "5", "Connection", "close"));
  }

  /** Sends the answer: JSON in the own API, a line of text elsewhere. */
  void send(Request request, Response response, Callback callback) {
    HttpFields.Mutable fields = response.getHeaders();
    boolean api = (Request.getPathInContext(request) + "/").startsWith("/api/");
    response.setStatus(status);
    headers.forEach(fields::put);
    fields.put(HttpHeader.CACHE_CONTROL, "no-store");
    if (status == NO_CONTENT) {
      response.write(true, ByteBuffer.allocate(0), callback);
      return;
    }
    fields.put(HttpHeader.CONTENT_TYPE, api ? "application/json" : "text/plain; charset=utf-8");
    byte[] bytes = (api ? json() : message + "\n").getBytes(StandardCharsets.UTF_8);
    fields.put(HttpHeader.CONTENT_LENGTH, bytes.length);
    boolean head = request.getMethod().equals("HEAD");
    response.write(true, ByteBuffer.wrap(head ? new byte[0] : bytes), callback);
  }

  private String json() {
    try {
      return JSON.writeValueAsString(
          Map.of("error", message, "status", status, "nearest", List.of()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a map of text is JSON", e);
    }
  }
}
