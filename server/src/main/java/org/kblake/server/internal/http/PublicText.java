package org.kblake.server.internal.http;

import java.util.regex.Pattern;

/** Texts for clients: lines that do not name directories of the server. */
public final class PublicText {

  /** The directories of an absolute path. */
  private static final Pattern DIRECTORIES = Pattern.compile("(?<![\\w/.:-])/(?:[^\\s,;:'\"]*/)?");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cntrl}\\x{85}\\x{2028}\\x{2029}]");

  private static final int MAX_CHARACTERS = 2000;

  private PublicText() {}

  /**
   * Returns a message as one line, whatever texts of a request it quotes: with a question mark for
   * each control character, and without what is behind the limit.
   */
  static String line(String message) {
    String begin =
        message.length() <= MAX_CHARACTERS ? message : message.substring(0, MAX_CHARACTERS) + "...";
    return CONTROL.matcher(begin).replaceAll("?");
  }

  /**
   * Returns a message without the directories of the paths in it. The name of a log is left, which
   * has its group and period.
   */
  public static String of(String message) {
    return DIRECTORIES.matcher(message).replaceAll("");
  }
}
