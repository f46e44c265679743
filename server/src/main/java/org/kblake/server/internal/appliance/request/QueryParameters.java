package org.kblake.server.internal.appliance.request;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * The parameters of a query: {@code name=value&name=value}, with percent-encoded UTF-8 and {@code
 * +} for a blank. Bytes that are not UTF-8 are an error, and are not replaced.
 */
public final class QueryParameters {

  private final Map<String, List<String>> values = new LinkedHashMap<>();

  private QueryParameters() {}

  /**
   * Decodes a query.
   *
   * @param query without the question mark; null if there is none
   * @throws HttpStatusException if a text is not percent-encoded UTF-8
   */
  public static QueryParameters parse(@Nullable String query) {
    QueryParameters parameters = new QueryParameters();
    if (query == null || query.isEmpty()) {
      return parameters;
    }
    for (String field : query.split("&")) {
      if (field.isEmpty()) {
        continue;
      }
      int equals = field.indexOf('=');
      String name = decode(equals < 0 ? field : field.substring(0, equals), true);
      String value = equals < 0 ? "" : decode(field.substring(equals + 1), true);
      parameters.values.computeIfAbsent(name, each -> new ArrayList<>()).add(value);
    }
    return parameters;
  }

  /**
   * Returns the only value of a parameter; null if it is absent or empty.
   *
   * @throws HttpStatusException if it is given twice
   */
  public @Nullable String optional(String name) {
    List<String> given = all(name);
    if (given.size() > 1) {
      throw HttpStatusException.wrong(name, "it is given " + given.size() + " times");
    }
    return given.isEmpty() || given.get(0).isEmpty() ? null : given.get(0);
  }

  /**
   * Returns the only value of a parameter.
   *
   * @throws HttpStatusException if it is absent, empty, or given twice
   */
  public String required(String name) {
    String value = optional(name);
    if (value == null) {
      throw HttpStatusException.wrong(name, "it is missing");
    }
    return value;
  }

  /** Returns the values of a parameter in their order. */
  public List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  /**
   * Decodes a percent-encoded text.
   *
   * @param plusIsBlank whether a plus sign stands for a blank
   * @throws HttpStatusException if it is not percent-encoded UTF-8
   */
  public static String decode(String text, boolean plusIsBlank) {
    ByteBuffer bytes = ByteBuffer.allocate(text.length() * 3);
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '%') {
        bytes.put((byte) (digit(text, at + 1) << 4 | digit(text, at + 2)));
        at += 3;
      } else if (c == '+' && plusIsBlank) {
        bytes.put((byte) ' ');
        at++;
      } else {
        int next = text.offsetByCodePoints(at, 1);
        bytes.put(text.substring(at, next).getBytes(StandardCharsets.UTF_8));
        at = next;
      }
    }
    return utf8(bytes.flip());
  }

  /**
   * @throws HttpStatusException if the bytes are not UTF-8
   */
  static String utf8(ByteBuffer bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new HttpStatusException(400, "the request is not UTF-8: encode it as UTF-8");
    }
  }

  private static int digit(String text, int at) {
    int digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
    if (digit < 0 || text.charAt(at) > 'f') {
      throw new HttpStatusException(
          400, "the request has a percent sign without two hexadecimal digits: write it as %25");
    }
    return digit;
  }
}
