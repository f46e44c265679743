package org.kblake.core.log;

import org.jspecify.annotations.Nullable;

/**
 * A position in a group's log. The natural order is log order.
 *
 * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
 * @param offset bytes from the start of the pair's log file
 */
public record LogPosition(String stamp, long offset) implements Comparable<LogPosition> {

  private static final int STAMP_DIGITS = 14;
  private static final int MAX_OFFSET_DIGITS = 18;

  /**
   * Parses {@code STAMP_OFFSET}. Returns null if the text has another form. It uses no regular
   * expression, because many names of blocks are parsed.
   */
  public static @Nullable LogPosition parse(String text) {
    if (text.length() <= STAMP_DIGITS
        || text.charAt(STAMP_DIGITS) != '_'
        || !isNumber(text, 0, STAMP_DIGITS, STAMP_DIGITS)
        || !isNumber(text, STAMP_DIGITS + 1, text.length(), MAX_OFFSET_DIGITS)) {
      return null;
    }
    return new LogPosition(
        text.substring(0, STAMP_DIGITS), Long.parseLong(text.substring(STAMP_DIGITS + 1)));
  }

  /** Returns whether [from, to) of a text consists of 1 to {@code most} digits. */
  public static boolean isNumber(String text, int from, int to, int most) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return from < to && to - from <= most;
  }

  @Override
  public int compareTo(LogPosition other) {
    int byPair = stamp.compareTo(other.stamp);
    return byPair != 0 ? byPair : Long.compare(offset, other.offset);
  }

  // Written out, because generating the methods of a record takes milliseconds in a new process.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof LogPosition position
        && offset == position.offset
        && stamp.equals(position.stamp);
  }

  @Override
  public int hashCode() {
    return 31 * stamp.hashCode() + Long.hashCode(offset);
  }

  @Override
  public String toString() {
    return stamp + "_" + offset;
  }
}
