package org.kblake.query.question;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * Globs as regular expressions. The time of a match is at most linear in the number of alternatives
 * of braces, and quadratic in the length of the name, whatever the glob: text between two asterisks
 * has a fixed length, so the first place where it matches is the best one, and is never left again.
 */
final class GlobRegex {

  /** What is between the reason of an error and the glob. */
  private static final String BEFORE_GLOB = ": ";

  private static final int MAX_ALTERNATIVES = 10_000;
  private static final int MAX_CHARACTERS = 500_000;
  private static final int MAX_BRACES = 1_000;

  private final String glob;

  /** The number of braces that were expanded. */
  private int braces;

  private GlobRegex(String glob) {
    this.glob = glob;
  }

  /**
   * Returns a regular expression for whole names.
   *
   * @param flags those of {@link Pattern}
   * @throws IllegalArgumentException if a bracket or brace is not closed, a range in brackets ends
   *     before it begins, or braces have more than 10,000 alternatives or 500,000 characters
   *     together, or are more than 1,000
   */
  static Pattern compile(String glob, int flags) {
    GlobRegex regex = new GlobRegex(glob);
    StringJoiner alternatives = new StringJoiner("|", "\\A(?:", ")\\z");
    regex.expand(glob).forEach(each -> alternatives.add(regex.plain(each)));
    try {
      return Pattern.compile(alternatives.toString(), flags | Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "pattern has a range that ends before it begins" + BEFORE_GLOB + glob, e);
    }
  }

  /** Returns why a text is no glob, without the text; null if it is one. */
  static @Nullable String problemOf(String text) {
    try {
      compile(text, 0);
      return null;
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      return message.substring(0, message.length() - text.length() - BEFORE_GLOB.length());
    }
  }

  /** Returns the globs without braces that a glob stands for. */
  private List<String> expand(String pattern) {
    List<String> found = List.of("");
    int plain = 0;
    for (int i = 0; i < pattern.length(); i = next(pattern, i)) {
      if (pattern.charAt(i) == '{') {
        int close = close(pattern, i);
        found = product(found, List.of(pattern.substring(plain, i)));
        found = product(found, alternatives(pattern.substring(i + 1, close)));
        i = close;
        plain = close + 1;
      }
    }
    return product(found, List.of(pattern.substring(plain)));
  }

  /** Returns what the commas of braces separate, expanded. */
  private List<String> alternatives(String inner) {
    if (++braces > MAX_BRACES) {
      throw new IllegalArgumentException(
          "pattern has more than " + MAX_BRACES + " braces" + BEFORE_GLOB + glob);
    }
    List<String> found = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i <= inner.length(); i = i < inner.length() ? next(inner, i) : i + 1) {
      if (i == inner.length() || inner.charAt(i) == ',') {
        found.addAll(expand(inner.substring(begin, i)));
        requireFew(found.size(), 0);
        begin = i + 1;
      } else if (inner.charAt(i) == '{') {
        i = close(inner, i);
      }
    }
    return found;
  }

  private List<String> product(List<String> begins, List<String> ends) {
    requireFew(
        (long) begins.size() * ends.size(),
        characters(begins) * ends.size() + characters(ends) * begins.size());
    List<String> all = new ArrayList<>(begins.size() * ends.size());
    for (String begin : begins) {
      for (String end : ends) {
        all.add(begin + end);
      }
    }
    return all;
  }

  private static long characters(List<String> texts) {
    return texts.stream().mapToLong(String::length).sum();
  }

  private void requireFew(long alternatives, long characters) {
    if (alternatives > MAX_ALTERNATIVES || characters > MAX_CHARACTERS) {
      throw new IllegalArgumentException(
          "pattern has too many alternatives: at most "
              + MAX_ALTERNATIVES
              + " with "
              + MAX_CHARACTERS
              + " characters"
              + BEFORE_GLOB
              + glob);
    }
  }

  private int close(String pattern, int at) {
    int open = 0;
    for (int i = at; i < pattern.length(); i = next(pattern, i)) {
      if (pattern.charAt(i) == '{') {
        open++;
      } else if (pattern.charAt(i) == '}' && --open == 0) {
        return i;
      }
    }
    throw new IllegalArgumentException("pattern has an open brace" + BEFORE_GLOB + glob);
  }

  /** Returns the index after a character, an escaped character, or a class in brackets. */
  private int next(String pattern, int at) {
    return switch (pattern.charAt(at)) {
      case '[' -> closeOfClass(pattern, at) + 1;
      case '\\' -> at + 2;
      default -> at + 1;
    };
  }

  private int closeOfClass(String pattern, int open) {
    int close = pattern.indexOf(']', open + (isNegated(pattern, open) ? 3 : 2));
    if (close < 0) {
      throw new IllegalArgumentException("pattern has an open bracket" + BEFORE_GLOB + glob);
    }
    return close;
  }

  private static boolean isNegated(String pattern, int open) {
    return pattern.startsWith("!", open + 1) || pattern.startsWith("^", open + 1);
  }

  /** Returns the regular expression of a glob without braces. */
  private String plain(String pattern) {
    StringBuilder regex = new StringBuilder();
    StringBuilder text = new StringBuilder();
    boolean isFirst = true;
    for (int i = 0; i < pattern.length(); i = next(pattern, i)) {
      char c = pattern.charAt(i);
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
        case '[' -> appendClass(pattern, i, text);
        case '\\' -> appendLiteral(pattern.charAt(Math.min(i + 1, pattern.length() - 1)), text);
        default -> appendLiteral(c, text);
      }
    }
    return regex.append(isFirst ? "" : ".*").append(text).toString();
  }

  private static void appendLiteral(char c, StringBuilder regex) {
    if (!Character.isLetterOrDigit(c) && !Character.isSurrogate(c)) {
      regex.append('\\');
    }
    regex.append(c);
  }

  private void appendClass(String pattern, int open, StringBuilder regex) {
    boolean not = isNegated(pattern, open);
    regex.append(not ? "[^" : "[");
    for (char c :
        pattern.substring(open + (not ? 2 : 1), closeOfClass(pattern, open)).toCharArray()) {
      if (c != '-' && !Character.isLetterOrDigit(c)) {
        regex.append('\\');
      }
      regex.append(c);
    }
    regex.append(']');
  }
}
