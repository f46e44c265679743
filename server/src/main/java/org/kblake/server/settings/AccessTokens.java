package org.kblake.server.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The tokens of a server. */
public final class AccessTokens {

  private static final String BEARER = "Bearer ";
  private static final int MAX_BYTES = 1 << 16;
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/=-]{16,512}");
  private static final Pattern DAY = Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}");
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s)#.*");
  private static final String SHA_256 = "sha256:";
  private static final Pattern HASH = Pattern.compile(SHA_256 + "[0-9a-f]{64}");

  private final List<AccessToken> tokens;

  private AccessTokens(List<AccessToken> tokens) {
    this.tokens = List.copyOf(tokens);
  }

  /**
   * Reads tokens from a file. A line is {@code TOKEN}, {@code NAME TOKEN} or {@code NAME LAST-DAY
   * TOKEN}, and a token may be its SHA-256. In a file without tokens nobody is admitted.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it has something else; the message has no token
   */
  public static AccessTokens read(Path file) throws IOException {
    if (Files.size(file) > MAX_BYTES) {
      throw new IllegalArgumentException("the file is longer than a list of tokens: " + file);
    }
    List<String> lines = Files.readString(file, StandardCharsets.ISO_8859_1).lines().toList();
    List<AccessToken> tokens = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String line = COMMENT.matcher(lines.get(i)).replaceFirst("").strip();
      if (!line.isEmpty()) {
        AccessToken token = token(line.split("\\s+"), "line " + (i + 1) + " of " + file);
        if (tokens.stream().anyMatch(token::isSame)) {
          throw new IllegalArgumentException(
              "line " + (i + 1) + " of " + file + " repeats a token");
        }
        tokens.add(token);
      }
    }
    if (tokens.size() > 1 && tokens.stream().anyMatch(token -> token.name().isEmpty())) {
      throw new IllegalArgumentException("each of several tokens needs a name: " + file);
    }
    return new AccessTokens(tokens);
  }

  private static AccessToken token(String[] words, String where) {
    if (words.length > 3 || words.length > 1 && !NAME.matcher(words[0]).matches()) {
      throw new IllegalArgumentException(
          where + " must be TOKEN, NAME TOKEN or NAME LAST-DAY TOKEN");
    }
    String text = words[words.length - 1];
    byte[] hash;
    if (HASH.matcher(text).matches()) {
      hash = HexFormat.of().parseHex(text, SHA_256.length(), text.length());
    } else if (TOKEN.matcher(text).matches()) {
      hash = AccessToken.hash(text);
    } else {
      throw new IllegalArgumentException(
          where
              + " must end with a token of 16 to 512 letters, digits or . _ ~ + / = -, or with"
              + " sha256: and 64 of 0-9 a-f");
    }
    return new AccessToken(
        words.length == 1 ? "" : words[0], words.length < 3 ? null : day(words[1], where), hash);
  }

  private static LocalDate day(String text, String where) {
    try {
      if (DAY.matcher(text).matches()) {
        return LocalDate.parse(text);
      }
    } catch (DateTimeException e) {
      // The day is not in the calendar
    }
    throw new IllegalArgumentException(
        where + " must have the last day as YYYY-MM-DD, such as 2027-03-31");
  }

  /** Returns whether a text has the form of a token. */
  public static boolean isToken(String text) {
    return TOKEN.matcher(text).matches();
  }

  /**
   * Returns the token that a client sent, which may be expired; null if it is none of them. The
   * time does not depend on the text's contents.
   */
  public @Nullable AccessToken find(String text) {
    byte[] sent = AccessToken.hash(text);
    AccessToken found = null;
    for (AccessToken each : tokens) {
      if (each.hasHash(sent)) {
        found = each;
      }
    }
    return found;
  }

  /**
   * Returns the token of a header {@code Authorization}, as {@link #find} does.
   *
   * @param header null if there is none
   */
  public @Nullable AccessToken findBearer(@Nullable String header) {
    return header != null && header.regionMatches(true, 0, BEARER, 0, BEARER.length())
        ? find(header.substring(BEARER.length()).strip())
        : null;
  }

  /** Returns whether a token is one of them, and does not expire earlier than before. */
  public boolean has(AccessToken token) {
    return tokens.stream().anyMatch(each -> each.isSame(token) && !endsBefore(each, token));
  }

  private static boolean endsBefore(AccessToken one, AccessToken other) {
    Instant end = one.end();
    Instant before = other.end();
    return end != null && (before == null || end.isBefore(before));
  }

  /** Returns all tokens, also expired ones. */
  public List<AccessToken> all() {
    return tokens;
  }
}
