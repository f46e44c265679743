package org.kblake.query.question;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;

/**
 * Globs as regular expressions. The time of a match is at most linear in the number of alternatives
 * of braces, and quadratic in the length of the name, whatever the glob: text between two asterisks
 * has a fixed length, so the first place where it matches is the best one, and is never left again.
 */
final class GlobRegex {

  private static final int MOST_ALTERNATIVES = 10_000;

  private final String glob;

  private GlobRegex(String glob) {
    this.glob = glob;
  }

  /**
   * Returns a regular expression for whole names.
   *
   * @throws IllegalArgumentException if a bracket or brace is not closed, or braces have more than
   *     10,000 alternatives together
   */
  static String of(String glob) {
    GlobRegex regex = new GlobRegex(glob);
    StringJoiner alternatives = new StringJoiner("|", "(?:", ")");
    regex.expand(glob).forEach(each -> alternatives.add(regex.plain(each)));
    return alternatives.toString();
  }

  /** Returns the globs without braces that a glob stands for. */
  private List<String> expand(String part) {
    List<String> found = List.of("");
    int plain = 0;
    for (int i = 0; i < part.length(); i = next(part, i)) {
      if (part.charAt(i) == '{') {
        int close = close(part, i);
        found = product(found, List.of(part.substring(plain, i)));
        found = product(found, alternatives(part.substring(i + 1, close)));
        i = close;
        plain = close + 1;
      }
    }
    return product(found, List.of(part.substring(plain)));
  }

  /** Returns what the commas of braces separate, expanded. */
  private List<String> alternatives(String inner) {
    List<String> found = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= inner.length(); i = i < inner.length() ? next(inner, i) : i + 1) {
      if (i == inner.length() || inner.charAt(i) == ',') {
        found.addAll(expand(inner.substring(begin, i)));
        requireFew(found.size());
        begin = i + 1;
      } else if (inner.charAt(i) == '{') {
        i = close(inner, i);
      }
    }
    return found;
  }

  private List<String> product(List<String> begins, List<String> ends) {
    requireFew((long) begins.size() * ends.size());
    List<String> all = new ArrayList<>(begins.size() * ends.size());
    for (String begin : begins) {
      for (String end : ends) {
        all.add(begin + end);
      }
    }
    return all;
  }

  private void requireFew(long alternatives) {
    if (alternatives > MOST_ALTERNATIVES) {
      throw new IllegalArgumentException(
          "pattern has more than " + MOST_ALTERNATIVES + " alternatives: " + glob);
    }
  }

  private int close(String part, int open) {
    int depth = 0;
    for (int i = open; i < part.length(); i = next(part, i)) {
      if (part.charAt(i) == '{') {
        depth++;
      } else if (part.charAt(i) == '}' && --depth == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException("pattern has an open brace: " + glob);
  }

  /** Returns the index after a character, an escaped character, or a class in brackets. */
  private int next(String part, int at) {
    return switch (part.charAt(at)) {
      case '[' -> closeOfClass(part, at) + 1;
      case '\\' -> at + 2;
      default -> at + 1;
    };
  }

  private int closeOfClass(String part, int open) {
    int close = part.indexOf(']', open + (isNegated(part, open) ? 3 : 2));
    if (close < 0) {
      throw new IllegalArgumentException("pattern has an open bracket: " + glob);
    }
    return close;
  }

  private static boolean isNegated(String part, int open) {
    return part.startsWith("!", open + 1) || part.startsWith("^", open + 1);
  }

  /** Returns the regular expression of a glob without braces. */
  private String plain(String part) {
    StringBuilder regex = new StringBuilder();
    StringBuilder text = new StringBuilder();
    boolean isFirst = true;
    for (int i = 0; i < part.length(); i = next(part, i)) {
      char c = part.charAt(i);
      switch (c) {
        case '*' -> {
          if (isFirst) {
            regex.append(text);
          } else if (!text.isEmpty()) {
            regex.append("(?>.*?").append(text).append(')');
          }
          isFirst = false;
          text.setLength(0);
        }
        case '?' -> text.append('.');
        case '[' -> appendClass(part, i, text);
        case '\\' ->
            text.append(
                Pattern.quote(
                    part.substring(
                        Math.min(i + 1, part.length() - 1), Math.min(i + 2, part.length()))));
        default -> text.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return regex.append(isFirst ? "" : ".*").append(text).toString();
  }

  private void appendClass(String part, int open, StringBuilder regex) {
    boolean not = isNegated(part, open);
    regex.append(not ? "[^" : "[");
    for (char c : part.substring(open + (not ? 2 : 1), closeOfClass(part, open)).toCharArray()) {
      if (c != '-' && !Character.isLetterOrDigit(c)) {
        regex.append('\\');
      }
      regex.append(c);
    }
    regex.append(']');
  }
}
