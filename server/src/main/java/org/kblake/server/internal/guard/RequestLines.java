package org.kblake.server.internal.guard;

import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/**
 * The request log: time, client, method, path, status, bytes, milliseconds. A client is an address,
 * or {@code NAME@ADDRESS} with the name of its token.
 */
public final class RequestLines implements RequestLog {

  private static final int MAX_CHARACTERS = 2_000;
  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final Consumer<String> lines;
  private final InstantSource clock = InstantSource.system();

  /**
   * @param lines gets each line, from several threads
   */
  public RequestLines(Consumer<String> lines) {
    this.lines = lines;
  }

  @Override
  public void log(Request request, Response response) {
    double millis = (System.nanoTime() - request.getHeadersNanoTime()) / NANOS_PER_MILLI;
    lines.accept(
        clock.instant().truncatedTo(ChronoUnit.MILLIS)
            + " "
            + client(request)
            + " "
            + printable(request.getMethod())
            + " "
            + printable(request.getHttpURI().getPath())
            + query(request.getHttpURI().getQuery())
            + " "
            + response.getStatus()
            + " "
            + Response.getContentBytesWritten(response)
            + String.format(Locale.ROOT, " %.1f ms", millis)
            + (response.isCompletedSuccessfully() ? "" : " cut"));
  }

  private static String client(Request request) {
    String name = Asker.name(request);
    return (name.isEmpty() ? "" : name + "@") + Request.getRemoteAddr(request);
  }

  /** A query that may have a token is left out. */
  private static String query(@Nullable String query) {
    if (query == null) {
      return "";
    }
    String decoded = QueryText.decode(query);
    return decoded == null || decoded.toLowerCase(Locale.ROOT).contains("token=")
        ? "?..."
        : "?" + printable(query);
  }

  /** Returns text on one line, in ASCII, and not longer than a line may be. */
  static String printable(@Nullable String text) {
    if (text == null || text.isEmpty()) {
      return "-";
    }
    StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_CHARACTERS) + 3);
    for (int i = 0; i < text.length(); i++) {
      if (line.length() > MAX_CHARACTERS) {
        return line.append("...").toString();
      }
      char c = text.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '\\') {
        line.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        line.append(c);
      }
    }
    return line.toString();
  }
}
