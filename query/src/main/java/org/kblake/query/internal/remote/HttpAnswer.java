package org.kblake.query.internal.remote;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.kblake.query.answer.Intervals;

/**
 * The answer of a server to one request. {@link HttpURLConnection} is used because {@code
 * java.net.http} needs a module of its own, and starts threads.
 */
public final class HttpAnswer {

  private static final String STREAM = "application/vnd.apache.arrow.stream";
  private static final String UNKNOWN_CHANNEL = "no such channel: ";
  private static final int OK = 200;
  private static final int MAX_ERROR_BYTES = 1 << 16;
  private static final int MAX_URI_LENGTH = 60_000;
  private static final int CONNECT_MILLIS = 5_000;
  private static final Pattern ERROR =
      Pattern.compile("\"error\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern ESCAPE = Pattern.compile("\\\\(u[0-9a-fA-F]{4}|.)");

  private HttpAnswer() {}

  /**
   * Sends a request, and waits for the begin of the answer.
   *
   * @param token null for none; it is in no message
   * @param timeout the longest silence of the server
   * @return the body; the caller closes it
   * @throws RefusedException if the question is wrong
   * @throws IOException if the server does not answer, or does not answer the question
   */
  public static InputStream open(URI uri, @Nullable String token, Duration timeout)
      throws IOException {
    return open(uri, token, timeout, STREAM);
  }

  /**
   * Sends a request for intervals, and reads the answer. Otherwise as {@link #open(URI, String,
   * Duration)}.
   */
  public static Intervals intervals(URI uri, @Nullable String token, Duration timeout)
      throws IOException {
    return IntervalLines.parse(open(uri, token, timeout, IntervalLines.CONTENT_TYPE));
  }

  private static InputStream open(
      URI uri, @Nullable String token, Duration timeout, String expected) throws IOException {
    if (uri.toString().length() > MAX_URI_LENGTH) {
      throw new RefusedException(
          "too many channels for one request; select them with globs, or ask several times");
    }
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    int millis = (int) Math.min(timeout.toMillis(), Integer.MAX_VALUE);
    connection.setConnectTimeout(Math.min(CONNECT_MILLIS, millis));
    connection.setReadTimeout(millis);
    connection.setInstanceFollowRedirects(false);
    connection.setRequestProperty("Accept", expected);
    if (token != null) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    try {
      int status = connection.getResponseCode();
      if (status != OK) {
        throw failure(status, connection);
      }
      String type = connection.getContentType();
      if (type == null || !type.startsWith(expected)) {
        throw new RemoteException(
            "its answer is no "
                + (expected.equals(STREAM) ? "Arrow stream" : "list of intervals")
                + ": content type="
                + type);
      }
      return connection.getInputStream();
    } catch (SocketTimeoutException e) {
      connection.disconnect();
      throw new RemoteException("no answer within " + millis + " ms", e);
    } catch (RuntimeException e) {
      connection.disconnect();
      throw new RemoteException("its answer is not of HTTP: " + e.getMessage(), e);
    } catch (IOException e) {
      connection.disconnect();
      throw e;
    }
  }

  private static RemoteException failure(int status, HttpURLConnection connection)
      throws IOException {
    String body = "";
    try (InputStream in = connection.getErrorStream()) {
      if (in != null) {
        body = new String(in.readNBytes(MAX_ERROR_BYTES), StandardCharsets.UTF_8);
      }
    }
    Matcher error = ERROR.matcher(body);
    boolean isOurs = error.find();
    String text = isOurs ? plain(error.group(1)) : "";
    return switch (status) {
      case 400, 404, 413 ->
          isOurs
              ? new RefusedException(text, status == 404 && text.startsWith(UNKNOWN_CHANNEL))
              : new RemoteException(message(status, text));
      case 414, 431 ->
          new RefusedException(
              "too many channels for one request; select them with globs, or ask several times");
      default -> new RemoteException(message(status, text));
    };
  }

  private static String message(int status, String text) {
    return status < 0
        ? "its answer is not of HTTP"
        : "status " + status + (text.isEmpty() ? "" : ": " + text);
  }

  private static String plain(String json) {
    return ESCAPE
        .matcher(json)
        .replaceAll(
            found -> {
              String escaped = found.group(1);
              String one =
                  switch (escaped.charAt(0)) {
                    case 'u' -> String.valueOf((char) Integer.parseInt(escaped.substring(1), 16));
                    case 'n', 'r', 't', 'b', 'f' -> " ";
                    default -> escaped;
                  };
              return Matcher.quoteReplacement(one);
            });
  }
}
