package org.kblake.core.internal.store.block;

import java.util.Optional;

/**
 * The name of a block's directory: {@code FROM-TO.GENERATION}, such as {@code
 * 20160516000000_0-20160516003355_87615.1}. FROM and TO are positions in the group's log; of two
 * blocks that hold the same stretch the one of the higher generation is the newer.
 */
public record BlockName(LogPosition from, LogPosition to, int generation) {

  // Parsed by hand: a group may have thousands of blocks, and every command lists them.

  private static final int MOST_GENERATION_DIGITS = 9;

  /** Empty if the text is no block's name: temporary directories and strangers are skipped. */
  public static Optional<BlockName> parse(String text) {
    int dash = text.indexOf('-');
    int dot = text.indexOf('.', dash + 1);
    if (dash < 0
        || dot < 0
        || !LogPosition.isNumber(text, dot + 1, text.length(), MOST_GENERATION_DIGITS)) {
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
