package org.kblake.cli.command.shared;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.kblake.query.question.ChannelPattern;

/** Parses names and globs of channels. */
public final class ChannelPatterns {

  private ChannelPatterns() {}

  /** Parses words. Each is a name, a glob, or several with commas between them. */
  public static List<ChannelPattern> of(List<String> words) {
    return words.stream().filter(word -> !word.isEmpty()).map(ChannelPattern::ofText).toList();
  }

  /**
   * Parses words for known names, and returns names and globs.
   *
   * @param names a word that is one of them is this name
   * @param ignoringCase whether upper and lower case are equal
   */
  public static List<ChannelPattern> meant(
      List<String> words, Collection<String> names, boolean ignoringCase) {
    UnaryOperator<String> key = ignoringCase ? name -> name.toLowerCase(Locale.ROOT) : name -> name;
    Set<String> keys = new HashSet<>();
    names.forEach(name -> keys.add(key.apply(name)));
    return of(words).stream()
        .map(pattern -> ignoringCase ? pattern.ignoreCase() : pattern)
        .flatMap(pattern -> pattern.meant(name -> keys.contains(key.apply(name))).stream())
        .toList();
  }
}
