package org.kblake.core.internal.store.access;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.block.LogPosition;
import org.kblake.core.model.Group;

/**
 * What an answer read of one group's log, from columns or from the log itself: a line of the file
 * {@code access/records}.
 *
 * <pre>
 *   milliseconds since 1970 UTC | group | from | to | columns or raw | bytes of log | nanoseconds it took
 * </pre>
 *
 * with blanks between; from and to are {@code STAMP_OFFSET}.
 *
 * @param atMillis when, milliseconds since 1970 UTC
 * @param group the group
 * @param from where the first segment read begins
 * @param to where the last one ends; the pairs between count, too
 * @param fromColumns whether blocks had it
 * @param logBytes bytes of the segments in the log, wherever they were read
 * @param nanos how long the whole answer took
 */
public record Access(
    long atMillis,
    Group group,
    LogPosition from,
    LogPosition to,
    boolean fromColumns,
    long logBytes,
    long nanos) {

  private static final String COLUMNS = "columns";
  private static final String RAW = "raw";
  private static final int WORDS = 7;

  /** A pebibyte: no group has as much, and sums of it stay below the largest long. */
  private static final long MOST_LOG_BYTES = 1L << 50;

  /** The line, without its end. */
  String text() {
    return atMillis
        + " "
        + group
        + " "
        + from
        + " "
        + to
        + " "
        + (fromColumns ? COLUMNS : RAW)
        + " "
        + logBytes
        + " "
        + nanos;
  }

  /** Null if the line is none, or cannot be true: anybody may write into the file. */
  static @Nullable Access parse(String line) {
    Access access = words(line);
    return access == null || !access.isPossible() ? null : access;
  }

  private boolean isPossible() {
    return atMillis >= 0 && nanos >= 0 && logBytes >= 0 && logBytes <= MOST_LOG_BYTES;
  }

  private static @Nullable Access words(String line) {
    String[] words = line.split(" ", -1);
    if (words.length != WORDS || !words[4].equals(COLUMNS) && !words[4].equals(RAW)) {
      return null;
    }
    LogPosition from = LogPosition.parse(words[2]);
    LogPosition to = LogPosition.parse(words[3]);
    if (from == null || to == null) {
      return null;
    }
    try {
      return new Access(
          Long.parseLong(words[0]),
          Group.parse(words[1]),
          from,
          to,
          words[4].equals(COLUMNS),
          Long.parseLong(words[5]),
          Long.parseLong(words[6]));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
