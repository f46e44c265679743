package org.kblake.cli.argument;

import java.util.regex.Pattern;

/** Patterns of channel names as a shell has them. */
public final class Glob {

  private Glob() {}

  /** Whether a text has any sign that a glob gives a meaning to. */
  public static boolean hasWildcards(String text) {
    return text.chars().anyMatch(c -> c == '*' || c == '?' || c == '[');
  }

  /**
   * The regular expression of a glob: {@code *} any text, {@code ?} any one character, {@code
   * [abc]}, {@code [a-z]}, {@code [!abc]} one of a set or of all others. A set that is not closed
   * stands for itself.
   */
  public static Pattern pattern(String glob, boolean ignoreCase) {
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < glob.length(); i++) {
      char c = glob.charAt(i);
      int close = c == '[' ? glob.indexOf(']', i + 2) : -1;
      if (c == '*') {
        regex.append(".*");
      } else if (c == '?') {
        regex.append('.');
      } else if (close > 0) {
        regex.append(set(glob.substring(i + 1, close)));
        i = close;
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    int flags = Pattern.DOTALL;
    return Pattern.compile(
        regex.toString(),
        ignoreCase ? flags | Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : flags);
  }

  private static String set(String members) {
    boolean others = members.startsWith("!") && members.length() > 1;
    StringBuilder set = new StringBuilder(others ? "[^" : "[");
    for (char c : members.substring(others ? 1 : 0).toCharArray()) {
      if ("\\[]^&".indexOf(c) >= 0) {
        set.append('\\');
      }
      set.append(c);
    }
    return set.append(']').toString();
  }
}
