package org.kblake.server.internal.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A file of the page, as it is sent.
 *
 * @param contentType of HTTP
 * @param etag with its quotes
 * @param plain the bytes; nobody changes them
 * @param compressed the bytes compressed with gzip; nobody changes them
 */
record PageFile(String contentType, String etag, byte[] plain, byte[] compressed) {

  private static final Map<String, String> CONTENT_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml");
  private static final int ETAG_CHARACTERS = 22;

  /** Returns the file with a name and contents, or null if files of this kind are not sent. */
  static @Nullable PageFile of(String name, byte[] bytes) {
    String type =
        CONTENT_TYPES.get(name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT));
    return type == null ? null : new PageFile(type, etag(bytes), bytes, gzip(bytes));
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 2 + 64);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return out.toByteArray();
  }

  private static String etag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(digest).substring(0, ETAG_CHARACTERS) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }
}
