package org.kblake.cli.command.shared;

import java.util.ArrayList;
import java.util.List;
import org.kblake.cli.error.UsageException;
import org.kblake.query.question.ChannelPattern;

/** Parses names and globs of channels. */
public final class ChannelPatterns {

  private ChannelPatterns() {}

  /**
   * Parses words. A word may have several names or globs with commas between them, because names of
   * EPICS have no commas.
   *
   * @throws UsageException if one of them is not a glob
   */
  public static List<ChannelPattern> of(List<String> words) {
    List<ChannelPattern> patterns = new ArrayList<>();
    for (String word : words) {
      int begin = 0;
      int depth = 0;
      for (int i = 0; i < word.length(); i++) {
        switch (word.charAt(i)) {
          case '{', '[' -> depth++;
          case '}', ']' -> depth--;
          case ',' -> {
            if (depth <= 0) {
              add(word.substring(begin, i), patterns);
              begin = i + 1;
            }
          }
          default -> {}
        }
      }
      add(word.substring(begin), patterns);
    }
    return patterns;
  }

  private static void add(String text, List<ChannelPattern> patterns) {
    if (text.isEmpty()) {
      return;
    }
    try {
      patterns.add(ChannelPattern.nameOrGlob(text));
    } catch (IllegalArgumentException e) {
      throw new UsageException(String.valueOf(e.getMessage()), e);
    }
  }
}
