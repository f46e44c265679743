package org.kblake.ship.influx;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A server of InfluxDB over HTTP. Threads share it. */
public final class InfluxServer {

  private static final int MOST_ERROR_BYTES = 1 << 20;
  private static final int MOST_ANSWER_BYTES = 1 << 28;

  private final InfluxDestination destination;
  private final Duration timeout;
  private final HttpClient client;
  private final ObjectMapper json = new ObjectMapper();

  /**
   * An answer to a write.
   *
   * @param status the status of HTTP
   * @param message the error; empty if there is none
   * @param retryAfterSeconds the time the server asks for; 0 if it does not
   */
  record Reply(int status, String message, long retryAfterSeconds) {

    boolean isAccepted() {
      return status / 100 == 2;
    }

    /** Returns whether the same request may succeed later. */
    boolean isTemporary() {
      return status == 408 || status == 429 || status / 100 == 5;
    }

    /** Returns whether some of the lines were refused, or the request is too large. */
    boolean isOfLines() {
      return status == 400 || status == 413 || status == 422;
    }
  }

  /**
   * @param timeout the longest wait for a connection, and for an answer
   */
  public InfluxServer(InfluxDestination destination, Duration timeout) {
    this.destination = destination;
    this.timeout = timeout;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(timeout)
            .build();
  }

  @Override
  public String toString() {
    return destination.toString();
  }

  private HttpRequest.Builder request(URI uri) {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(timeout);
    return destination.authorization().isEmpty()
        ? request
        : request.header("Authorization", destination.authorization());
  }

  /**
   * Writes lines.
   *
   * @param gzip the lines, compressed
   */
  Reply write(byte[] gzip) throws IOException, InterruptedException {
    HttpRequest request =
        request(destination.write())
            .header("Content-Encoding", "gzip")
            .header("Content-Type", "text/plain; charset=utf-8")
            .POST(BodyPublishers.ofByteArray(gzip))
            .build();
    HttpResponse<byte[]> response = answer(request, MOST_ERROR_BYTES);
    boolean accepted = response.statusCode() / 100 == 2;
    return new Reply(
        response.statusCode(),
        accepted ? "" : message(response.body()),
        seconds(response.headers().firstValue("Retry-After")));
  }

  /** Returns the whole answer. The timeout of a request alone would end with its headers. */
  private HttpResponse<byte[]> answer(HttpRequest request, int mostBytes)
      throws IOException, InterruptedException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        client.sendAsync(request, head -> new AnswerBody(mostBytes));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("no whole answer in " + timeout.toSeconds() + " s");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }

  private static long seconds(Optional<String> header) {
    return header.filter(text -> text.matches("\\d{1,6}")).map(Long::parseLong).orElse(0L);
  }

  /** Returns what the body of an error says. Version 2 has other keys than 1 and 3. */
  private String message(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).strip();
    try {
      JsonNode error = json.readTree(text);
      String key = error.has("message") ? "message" : "error";
      String detail = error.at("/data/0/error_message").asText("");
      String message = error.path(key).asText(text);
      return detail.isEmpty() ? message : message + ": " + detail;
    } catch (JsonProcessingException e) {
      return text;
    }
  }

  /**
   * Asks in InfluxQL.
   *
   * @return the answer, with times in nanoseconds
   * @throws IOException if the server does not answer, or with an error
   */
  public JsonNode query(String statement) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        answer(request(destination.query(statement)).GET().build(), MOST_ANSWER_BYTES);
    if (response.statusCode() != 200) {
      throw new IOException(
          "InfluxDB refuses a query: status="
              + response.statusCode()
              + ", found "
              + message(response.body()));
    }
    JsonNode answer = json.readTree(response.body());
    String error = answer.at("/results/0/error").asText("");
    if (!error.isEmpty()) {
      throw new IOException("InfluxDB refuses a query: found " + error);
    }
    return answer.at("/results/0/series");
  }
}
