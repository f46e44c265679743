package org.kblake.core.internal.store.block;

import java.util.Optional;
import org.kblake.core.log.LogPosition;

/**
 * The name of a block's directory: {@code FROM-TO.GENERATION}, such as {@code
 * 20160516000000_0-20160516003355_87615.1}. FROM and TO are positions in the group's log. Of two
 * blocks of the same span the one with the higher generation is newer.
 */
public record BlockName(LogPosition from, LogPosition to, int generation) {

  // Not parsed by a regular expression, because a group may have thousands of blocks, and every
  // command lists them.

  private static final int MAX_GENERATION_DIGITS = 9;

  /**
   * Parses a name. Returns an empty result for other names, such as those of temporary directories.
   */
  public static Optional<BlockName> parse(String text) {
    int dash = text.indexOf('-');
    int dot = text.indexOf('.', dash + 1);
    if (dash < 0
        || dot < 0
        || !LogPosition.isNumber(text, dot + 1, text.length(), MAX_GENERATION_DIGITS)) {
      return Optional.empty();
    }
    LogPosition from = LogPosition.parse(text.substring(0, dash));
    LogPosition to = LogPosition.parse(text.substring(dash + 1, dot));
    return from == null || to == null
        ? Optional.empty()
        : Optional.of(new BlockName(from, to, Integer.parseInt(text.substring(dot + 1))));
  }

  @Override
  public String toString() {
    return from + "-" + to + "." + generation;
  }
}
