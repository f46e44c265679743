package org.kblake.core.internal.store.access;

import org.jspecify.annotations.Nullable;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;

/**
 * A record of the span of one group's log that an answer read, from columns or from the log. It is
 * a line of the file {@code access/records}.
 *
 * <pre>
 *   milliseconds since 1970 UTC | group | from | to | columns or raw | bytes of log | nanoseconds it took
 * </pre>
 *
 * The fields are separated by blanks. From and to have the form {@code STAMP_OFFSET}.
 *
 * @param atMillis the time of the answer, milliseconds since 1970 UTC
 * @param group the group
 * @param from the begin of the first segment that was read
 * @param to the end of the last segment that was read; all pairs between both belong to the span
 * @param fromColumns whether it was read from blocks
 * @param logBytes the size of the segments in the log, even if they were read from blocks
 * @param nanos the duration of the whole answer
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

  /** A pebibyte. No group has as much, and sums of such numbers do not overflow. */
  private static final long MAX_LOG_BYTES = 1L << 50;

  /** Returns the same access at another time, milliseconds since 1970 UTC. */
  public Access at(long millis) {
    return new Access(millis, group, from, to, fromColumns, logBytes, nanos);
  }

  /** Returns the line without its terminator. */
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

  /**
   * Parses a line. Returns null if it is not a record or has impossible values, because any user
   * may write into the file.
   */
  static @Nullable Access parse(String line) {
    Access access = words(line);
    return access == null || !access.isPossible() ? null : access;
  }

  private boolean isPossible() {
    return atMillis >= 0 && nanos >= 0 && logBytes >= 0 && logBytes <= MAX_LOG_BYTES;
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
