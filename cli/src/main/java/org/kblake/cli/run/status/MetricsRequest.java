package org.kblake.cli.run.status;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request to {@link MetricsServer}. Its header is read as a whole, also {@code Host}, which any
 * name may be in: a probe asks by an address, a balancer by a name.
 *
 * @param method the method; empty if the request is not HTTP or its header is too long
 * @param path the path without its query
 * @param authorization the value of {@code Authorization}; null if there is none
 */
record MetricsRequest(String method, String path, @Nullable String authorization, InputStream in) {

  private static final int MAX_BYTES = 1 << 14;
  private static final int LAST_WAIT_MILLIS = 1000;
  private static final String AUTHORIZATION = "authorization:";

  /**
   * Reads the header of a request.
   *
   * @throws IOException if the client ends before the header does
   */
  static MetricsRequest read(InputStream in) throws IOException {
    byte[] bytes = new byte[MAX_BYTES];
    int end = -1;
    int count = 0;
    while (end < 0 && count < MAX_BYTES) {
      int read = in.read(bytes, count, MAX_BYTES - count);
      if (read < 0) {
        throw new IOException("the request is not complete");
      }
      count += read;
      end = new String(bytes, 0, count, StandardCharsets.ISO_8859_1).indexOf("\r\n\r\n");
    }
    String[] lines =
        new String(bytes, 0, Math.max(0, end), StandardCharsets.ISO_8859_1).split("\r\n");
    String[] words = lines[0].split(" ");
    if (words.length != 3 || !words[2].startsWith("HTTP/1.")) {
      return new MetricsRequest("", "", null, in);
    }
    String authorization = null;
    for (String line : lines) {
      if (line.toLowerCase(Locale.ROOT).startsWith(AUTHORIZATION)) {
        authorization = line.substring(AUTHORIZATION.length()).strip();
      }
    }
    return new MetricsRequest(words[0], words[1].split("\\?", 2)[0], authorization, in);
  }

  /**
   * Reads the rest of a request after its answer. A system that closes a connection with unread
   * bytes may discard the answer.
   */
  void skipRest(Socket client) throws IOException {
    client.setSoTimeout(LAST_WAIT_MILLIS);
    byte[] rest = new byte[MAX_BYTES];
    int left = 4 * MAX_BYTES;
    while (left > 0) {
      int read = in.read(rest);
      left = read < 0 ? 0 : left - read;
    }
  }
}
