package org.kblake.query.question;

import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern of channel names.
 *
 * @param kind the kind of the text
 * @param text a name or pattern
 * @param ignoringCase whether upper and lower case are equal
 */
public record ChannelPattern(Kind kind, String text, boolean ignoringCase) {

  /** The kind of a text. */
  public enum Kind {
    /** The channel of that name. */
    NAME,
    /** The channel of that name, in a question about one group that is known to have it. */
    KNOWN_NAME,
    /**
     * A pattern: {@code *} is any text, {@code ?} any character, {@code [abc]} one of these
     * characters, {@code [!abc]} any other character, {@code {a,b}} either text.
     */
    GLOB,
    /** A regular expression of Java. It matches anywhere in a name unless it is anchored. */
    REGEX
  }

  public ChannelPattern {
    if (kind == Kind.GLOB || kind == Kind.REGEX) {
      compile(kind, text, ignoringCase);
    }
  }

  /** Returns a pattern for the channel of an exact name. */
  public static ChannelPattern name(String name) {
    return new ChannelPattern(Kind.NAME, name, false);
  }

  /**
   * Returns a pattern for a name from an earlier answer. It is no error if the record tables of
   * another period do not have it: the channel then has no events there, and may hold an earlier
   * value.
   */
  public static ChannelPattern knownName(String name) {
    return new ChannelPattern(Kind.KNOWN_NAME, name, false);
  }

  /**
   * @throws IllegalArgumentException if a bracket or brace is not closed, or braces have more than
   *     10,000 alternatives or 500,000 characters together, or are more than 1,000
   */
  public static ChannelPattern glob(String glob) {
    return new ChannelPattern(Kind.GLOB, glob, false);
  }

  /**
   * Returns a glob if the text has an asterisk, question mark, bracket or brace, otherwise a name.
   */
  public static ChannelPattern nameOrGlob(String text) {
    boolean isGlob =
        text.indexOf('*') >= 0
            || text.indexOf('?') >= 0
            || text.indexOf('[') >= 0
            || text.indexOf('{') >= 0;
    return isGlob ? glob(text) : name(text);
  }

  /** Returns this pattern with upper and lower case equal. */
  public ChannelPattern ignoreCase() {
    return new ChannelPattern(kind, text, true);
  }

  /** Returns whether this is the exact name of one channel. */
  public boolean isName() {
    return (kind == Kind.NAME || isKnown()) && !ignoringCase;
  }

  /** Returns whether this is valid without an entry in a record table. */
  public boolean isKnown() {
    return kind == Kind.KNOWN_NAME;
  }

  /** Returns a test of names, compiled once for many names. */
  public Predicate<String> matcher() {
    return compile().asPredicate();
  }

  /** Returns a matcher of names, for use with {@code find}. */
  public Pattern compile() {
    return compile(kind, text, ignoringCase);
  }

  private static Pattern compile(Kind kind, String text, boolean ignoringCase) {
    int flags = ignoringCase ? Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE : 0;
    return switch (kind) {
      case NAME, KNOWN_NAME -> Pattern.compile("\\A" + Pattern.quote(text) + "\\z", flags);
      case GLOB -> Pattern.compile("\\A" + GlobRegex.of(text) + "\\z", flags | Pattern.DOTALL);
      case REGEX -> regex(text, flags);
    };
  }

  private static Pattern regex(String text, int flags) {
    try {
      return Pattern.compile(text, flags);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "not a regular expression: "
              + text
              + ", "
              + e.getDescription()
              + " near index "
              + e.getIndex(),
          e);
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
