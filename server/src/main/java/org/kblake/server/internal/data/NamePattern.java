package org.kblake.server.internal.data;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.function.Predicate;
import org.kblake.query.question.ChannelPattern;
import org.kblake.server.internal.http.HttpStatusException;

/**
 * A test of names. The time of a test is linear in the length of the name and in the size of the
 * pattern, which is limited.
 */
public final class NamePattern implements Predicate<String> {

  private static final int MAX_CHARACTERS = 2000;

  /** The limit of the sizes of a request's patterns times the number of names. */
  private static final long MAX_TESTED = 20_000_000;

  /** A glob of so many characters takes as long as a state of a regular expression. */
  private static final int GLOB_CHARACTERS = 100;

  private final Predicate<String> test;
  private final String parameter;
  private final int size;

  private NamePattern(String parameter, int size, Predicate<String> test) {
    this.parameter = parameter;
    this.size = size;
    this.test = test;
  }

  /**
   * Returns a test by a regular expression of RE2 that matches whole names.
   *
   * @param parameter its name in messages
   * @throws HttpStatusException if it is not a regular expression, or too large
   */
  public static NamePattern whole(String parameter, String regex) {
    Pattern pattern = compile(parameter, regex);
    return new NamePattern(parameter, RegexSize.of(regex), pattern::matches);
  }

  /**
   * Returns a test by a regular expression of RE2 that matches anywhere unless it is anchored.
   *
   * @throws HttpStatusException if it is not a regular expression, or too large
   */
  public static NamePattern anywhere(String parameter, String regex) {
    Pattern pattern = compile(parameter, regex);
    return new NamePattern(parameter, RegexSize.of(regex), name -> pattern.matcher(name).find());
  }

  /**
   * Returns a test by a glob of {@link ChannelPattern}.
   *
   * @throws HttpStatusException if it is not a glob, or too large
   */
  public static NamePattern glob(String parameter, String glob) {
    requireShort(parameter, glob);
    try {
      return of(parameter, ChannelPattern.glob(glob));
    } catch (IllegalArgumentException e) {
      throw HttpStatusException.wrong(parameter, String.valueOf(e.getMessage()));
    }
  }

  /** Returns a test for one name. */
  public static NamePattern exactly(String parameter, String name) {
    return new NamePattern(parameter, 1, name::equals);
  }

  /** Returns the test of a pattern of channels. */
  public static NamePattern of(String parameter, ChannelPattern pattern) {
    java.util.regex.Pattern compiled = pattern.compile();
    return new NamePattern(
        parameter, 1 + compiled.pattern().length() / GLOB_CHARACTERS, compiled.asPredicate());
  }

  /**
   * Returns a test by a glob that has asterisks and question marks only.
   *
   * @throws HttpStatusException if it is too large
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
    Pattern pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
    return new NamePattern(parameter, regex.length(), pattern::matches);
  }

  private static Pattern compile(String parameter, String regex) {
    requireShort(parameter, regex);
    if (RegexSize.of(regex) > MAX_CHARACTERS) {
      throw HttpStatusException.wrong(
          parameter, "the pattern repeats parts too often: at most " + MAX_CHARACTERS + " in all");
    }
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      throw HttpStatusException.wrong(
          parameter, "not a regular expression: " + e.getDescription() + ": " + e.getPattern());
    }
  }

  static void requireShort(String parameter, String pattern) {
    if (pattern.length() > MAX_CHARACTERS) {
      throw HttpStatusException.wrong(
          parameter, "a pattern has at most " + MAX_CHARACTERS + " characters");
    }
  }

  /** Returns the size: about the number of states that a character of a name is compared with. */
  public int size() {
    return size;
  }

  /**
   * Requires that the names are few for the patterns of a request.
   *
   * @param sizes the sizes of all patterns
   * @throws HttpStatusException if all names with all patterns would take too long
   */
  public void requireFew(long sizes, int names) {
    if (sizes * names > MAX_TESTED) {
      throw HttpStatusException.wrong(
          parameter,
          "the pattern is too large for "
              + names
              + " names: its size is "
              + sizes
              + ", and at most "
              + MAX_TESTED / names
              + "; ask for a part of the name with fewer repetitions");
    }
  }

  @Override
  public boolean test(String name) {
    return test.test(name);
  }
}
