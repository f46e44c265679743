package org.kblake.server.settings;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.regex.Pattern;

/** The token that clients send. Only its SHA-256 is kept. It is in no message and no log. */
public final class AccessToken {

  private static final int MOST_BYTES = 4096;
  private static final Pattern FORM = Pattern.compile("[A-Za-z0-9._~+/=-]{16,512}");

  private final byte[] hash;

  private AccessToken(String token) {
    hash = hash(token);
  }

  /**
   * Reads a token from a file, which has it as its only line.
   *
   * @throws IOException if the file cannot be read
   * @throws IllegalArgumentException if it has something else
   */
  public static AccessToken read(Path file) throws IOException {
    if (Files.size(file) > MOST_BYTES) {
      throw new IllegalArgumentException("the file is longer than a token: " + file);
    }
    String text = Files.readString(file, StandardCharsets.ISO_8859_1).strip();
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "the file must have one line of 16 to 512 letters, digits or . _ ~ + / = -: " + file);
    }
    return new AccessToken(text);
  }

  /** Returns whether a client sent the token. The time does not depend on the text's contents. */
  public boolean matches(String text) {
    return MessageDigest.isEqual(hash, hash(text));
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("each Java has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "AccessToken";
  }
}
