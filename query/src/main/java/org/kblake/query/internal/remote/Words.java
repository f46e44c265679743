package org.kblake.query.internal.remote;

import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Words of any text between blanks. */
final class Words {

  private Words() {}

  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  static String decode(String word) {
    return URLDecoder.decode(word, StandardCharsets.UTF_8);
  }
}
