package org.kblake.core.store;

import org.jspecify.annotations.Nullable;

/**
 * A place in a group's log. The natural order is log order.
 *
 * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
 * @param offset bytes from the start of the pair's log file
 */
public record LogPosition(String stamp, long offset) implements Comparable<LogPosition> {

  @Override
  public int compareTo(LogPosition other) {
    int byPair = stamp.compareTo(other.stamp);
    return byPair != 0 ? byPair : Long.compare(offset, other.offset);
  }

  // By hand: the methods that a record is given take milliseconds to be made at a cold start.

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
