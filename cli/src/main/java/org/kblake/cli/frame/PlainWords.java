package org.kblake.cli.frame;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The words of a command line that means the same to anybody: options that are spelled out, each
 * with its value in the next word and none given twice, and arguments. What picocli understands
 * besides is not understood here, nor is anything that it refuses.
 */
public final class PlainWords {

  private final Map<String, String> values = new HashMap<>();
  private final Set<String> flags = new HashSet<>();
  private final List<String> arguments = new ArrayList<>();

  private PlainWords() {}

  /**
   * Takes a command line apart.
   *
   * @param words what follows the command's name
   * @param valued the options that have a value
   * @param bare the options that have none
   * @return null if any of it is not plain
   */
  public static @Nullable PlainWords of(List<String> words, Set<String> valued, Set<String> bare) {
    PlainWords plain = new PlainWords();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (bare.contains(word)) {
        if (!plain.flags.add(word)) {
          return null;
        }
      } else if (valued.contains(word)) {
        i++;
        if (i == words.size()
            || !isPlain(words.get(i))
            || plain.values.put(word, words.get(i)) != null) {
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

  /** Whether a word cannot be an option, a file of arguments, or one in quotes. */
  private static boolean isPlain(String word) {
    return !word.isEmpty() && "-@\"'".indexOf(word.charAt(0)) < 0;
  }

  /** Whether an option was given that has no value. */
  public boolean has(String option) {
    return flags.contains(option);
  }

  /** An option's value, or null if it was not given. */
  public @Nullable String value(String option) {
    return values.get(option);
  }

  /** What was no option. */
  public List<String> arguments() {
    return arguments;
  }
}
