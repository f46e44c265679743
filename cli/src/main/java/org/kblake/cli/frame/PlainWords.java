package org.kblake.cli.frame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words of a simple command line: arguments, and options with their full names. An option is
 * given at most once, and its value is the next word. Other forms that picocli accepts are not
 * accepted here. Everything accepted here has the same meaning for picocli.
 */
public final class PlainWords {

  private final Map<String, String> values = new HashMap<>();
  private final Set<String> flags = new HashSet<>();
  private final List<String> arguments = new ArrayList<>();

  private PlainWords() {}

  /**
   * Parses a command line.
   *
   * @param words the words after the command's name
   * @param valued the options with a value: each name, and the name under which its value is kept
   * @param bare the options without a value, in the same way
   * @return null if the command line is not simple
   */
  public static @Nullable PlainWords of(
      List<String> words, Map<String, String> valued, Map<String, String> bare) {
    PlainWords plain = new PlainWords();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      String flag = bare.get(word);
      String option = valued.get(word);
      if (flag != null) {
        if (!plain.flags.add(flag)) {
          return null;
        }
      } else if (option != null) {
        i++;
        if (i == words.size()
            || !isPlain(words.get(i))
            || plain.values.put(option, words.get(i)) != null) {
          return null;
        }
      } else if (isPlain(word)) {
        plain.arguments.add(word);
      } else {
        return null;
      }
    }
    return plain;
  }

  /** Returns whether a word is certainly not an option, a file of arguments, or quoted. */
  private static boolean isPlain(String word) {
    return !word.isEmpty() && "-@\"'".indexOf(word.charAt(0)) < 0;
  }

  /** Returns whether an option without a value was given. */
  public boolean has(String option) {
    return flags.contains(option);
  }

  /** Returns an option's value, or null if it was not given. */
  public @Nullable String value(String option) {
    return values.get(option);
  }

  /** Returns the words that are not options. */
  public List<String> arguments() {
    return arguments;
  }
}
