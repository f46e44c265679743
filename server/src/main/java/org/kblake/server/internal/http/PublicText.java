package org.kblake.server.internal.http;

import java.util.regex.Pattern;

/** Texts for clients, which do not name directories of the server. */
public final class PublicText {

  /** The directories of an absolute path. */
  private static final Pattern DIRECTORIES = Pattern.compile("(?<![\\w/.:-])/(?:[^\\s,;:'\"]*/)?");

  private PublicText() {}

  /**
   * Returns a message without the directories of the paths in it. The name of a log is left, which
   * has its group and period.
   */
  public static String of(String message) {
    return DIRECTORIES.matcher(message).replaceAll("");
  }
}
