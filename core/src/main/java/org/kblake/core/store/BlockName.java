package org.kblake.core.store;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a block's directory: {@code FROM-TO.GENERATION}, such as {@code
 * 20160516000000_0-20160516003355_87615.1}. FROM and TO are positions in the group's log; of two
 * blocks that hold the same stretch the one of the higher generation is the newer.
 */
record BlockName(LogPosition from, LogPosition to, int generation) {

  private static final Pattern FORM =
      Pattern.compile("(\\d{14})_(\\d{1,18})-(\\d{14})_(\\d{1,18})\\.(\\d{1,9})");

  /** Empty if the text is no block's name: temporary directories and strangers are passed over. */
  static Optional<BlockName> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new BlockName(
            new LogPosition(matcher.group(1), Long.parseLong(matcher.group(2))),
            new LogPosition(matcher.group(3), Long.parseLong(matcher.group(4))),
            Integer.parseInt(matcher.group(5))));
  }

  @Override
  public String toString() {
    return from + "-" + to + "." + generation;
  }
}
