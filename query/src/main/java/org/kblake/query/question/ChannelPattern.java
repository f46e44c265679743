package org.kblake.query.question;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of channel names. Names of EPICS may have brackets and braces. So a text that is the
 * name of a recorded channel is this name, before it is a glob or a list.
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
     * characters, {@code [!abc]} any other character, {@code {a,b}} either text, and a backslash
     * makes the next character an ordinary one. If a channel has the whole text as its name, it
     * alone is selected. Only {@code *} is always a pattern.
     */
    GLOB,
    /**
     * Names and globs with commas between them. If a channel has the whole text as its name, it
     * alone is selected.
     */
    LIST,
    /** A regular expression of Java. It matches anywhere in a name unless it is anchored. */
    REGEX
  }

  private static final String ALL = "*";

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
   * A text that is no glob, because a bracket is not closed, for example, can only be a name.
   */
  public static ChannelPattern nameOrGlob(String text) {
    return hasWildcard(text) && problemOf(text) == null ? glob(text) : name(text);
  }

  /**
   * Returns a list if the text has a comma outside of brackets and braces, otherwise {@link
   * #nameOrGlob}.
   */
  public static ChannelPattern ofText(String text) {
    return words(text).size() > 1 ? new ChannelPattern(Kind.LIST, text, false) : nameOrGlob(text);
  }

  private static boolean hasWildcard(String text) {
    return text.chars().anyMatch(c -> c == '*' || c == '?' || c == '[' || c == '{');
  }

  /** Returns why a text is no glob, without the text; null if it is one. */
  public static @Nullable String problemOf(String text) {
    return GlobRegex.problemOf(text);
  }

  private static List<String> words(String text) {
    List<String> words = new ArrayList<>();
    int begin = 0;
    int depth = 0;
    for (int i = 0; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case ',' -> {
          if (depth <= 0) {
            words.add(text.substring(begin, i));
            begin = i + 1;
          }
        }
        default -> {}
      }
    }
    words.add(text.substring(begin));
    return words;
  }

  /**
   * Returns what this pattern means in an archive: a name if it is that of a channel, otherwise
   * itself, or what a list has, each likewise.
   *
   * @param isRecorded whether a channel has a name, or had it
   */
  public List<ChannelPattern> meant(Predicate<String> isRecorded) {
    return switch (kind) {
      case NAME, KNOWN_NAME, REGEX -> List.of(this);
      case GLOB -> List.of(!text.equals(ALL) && isRecorded.test(text) ? asName() : this);
      case LIST ->
          isRecorded.test(text)
              ? List.of(asName())
              : patterns().stream().flatMap(pattern -> pattern.meant(isRecorded).stream()).toList();
    };
  }

  /** Returns the texts that may be names of channels. */
  public List<String> possibleNames() {
    return switch (kind) {
      case NAME, KNOWN_NAME -> List.of(text);
      case REGEX -> List.of();
      case GLOB -> text.equals(ALL) ? List.of() : List.of(text);
      case LIST -> {
        List<String> names = new ArrayList<>(List.of(text));
        patterns().forEach(pattern -> names.addAll(pattern.possibleNames()));
        yield names;
      }
    };
  }

  private List<ChannelPattern> patterns() {
    List<ChannelPattern> patterns = new ArrayList<>();
    for (String word : words(text)) {
      if (!word.isEmpty()) {
        ChannelPattern pattern = nameOrGlob(word);
        patterns.add(ignoringCase ? pattern.ignoreCase() : pattern);
      }
    }
    return patterns.isEmpty() ? List.of(asName()) : patterns;
  }

  private ChannelPattern asName() {
    return new ChannelPattern(Kind.NAME, text, ignoringCase);
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

  /**
   * Returns a test of names, compiled once for many names.
   *
   * @throws IllegalStateException if this is a list, which {@link #meant} divides
   */
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
      case GLOB -> GlobRegex.compile(text, flags);
      case LIST -> throw new IllegalStateException("a list is several patterns: " + text);
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
