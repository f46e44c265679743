package org.kblake.server.internal.data;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.function.Predicate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.server.internal.http.RequestException;

/**
 * A test of names. The time of a test is linear in the length of the name and in the size of the
 * pattern, which is limited.
 */
public final class NamePattern implements Predicate<String> {

  private static final int MOST_CHARACTERS = 2000;

  private final Pattern pattern;
  private final boolean whole;

  private NamePattern(Pattern pattern, boolean whole) {
    this.pattern = pattern;
    this.whole = whole;
  }

  /**
   * Returns a test by a regular expression of RE2 that matches whole names.
   *
   * @param parameter its name in messages
   * @throws RequestException if it is not a regular expression, or too large
   */
  public static NamePattern whole(String parameter, String regex) {
    return new NamePattern(compile(parameter, regex), true);
  }

  /**
   * Returns a test by a regular expression of RE2 that matches anywhere unless it is anchored.
   *
   * @throws RequestException if it is not a regular expression, or too large
   */
  public static NamePattern anywhere(String parameter, String regex) {
    return new NamePattern(compile(parameter, regex), false);
  }

  /**
   * Returns a test by a glob of {@link ChannelPattern}.
   *
   * @throws RequestException if it is not a glob, or too large
   */
  public static Predicate<String> glob(String parameter, String glob) {
    requireShort(parameter, glob);
    try {
      return ChannelPattern.glob(glob).matcher();
    } catch (IllegalArgumentException e) {
      throw RequestException.wrong(parameter, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns a test by a glob that has asterisks and question marks only.
   *
   * @throws RequestException if it is too large
   */
  public static NamePattern plainGlob(String parameter, String glob) {
    StringBuilder regex = new StringBuilder();
    int plain = 0;
    for (int i = 0; i <= glob.length(); i++) {
      char c = i < glob.length() ? glob.charAt(i) : '*';
      if (c == '*' || c == '?') {
        regex.append(Pattern.quote(glob.substring(plain, i)));
        plain = i + 1;
        if (i < glob.length()) {
          regex.append(c == '*' ? ".*" : ".");
        }
      }
    }
    requireShort(parameter, glob);
    return new NamePattern(Pattern.compile(regex.toString(), Pattern.DOTALL), true);
  }

  private static Pattern compile(String parameter, String regex) {
    requireShort(parameter, regex);
    if (RegexSize.of(regex) > MOST_CHARACTERS) {
      throw RequestException.wrong(
          parameter, "the pattern repeats parts too often: at most " + MOST_CHARACTERS + " in all");
    }
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw RequestException.wrong(
          parameter, "not a regular expression: " + e.getDescription() + ": " + e.getPattern());
    }
  }

  private static void requireShort(String parameter, String pattern) {
    if (pattern.length() > MOST_CHARACTERS) {
      throw RequestException.wrong(
          parameter, "a pattern has at most " + MOST_CHARACTERS + " characters");
    }
  }

  @Override
  public boolean test(String name) {
    return whole ? pattern.matcher(name).matches() : pattern.matcher(name).find();
  }
}
