package org.kblake.query.answer;

import java.nio.file.Path;
import java.util.List;
import org.kblake.core.model.Group;

/**
 * The sources of an answer.
 *
 * @param ranges the ranges, group after group, in log order
 */
public record ReadPlan(List<Range> ranges) {

  public ReadPlan {
    ranges = List.copyOf(ranges);
  }

  /**
   * A range of a pair that is read from one source.
   *
   * @param group the group
   * @param stamp the pair, by the {@code yyyymmddhhmmss} of its file names
   * @param stored whether it is read from columns
   * @param path the directory of the block, or the log file
   * @param rawBytes bytes of log in the range
   * @param readBytes estimate of the bytes that are read
   * @param events estimate of the events of the channels in it; a range may have fewer
   */
  public record Range(
      Group group,
      String stamp,
      boolean stored,
      Path path,
      long rawBytes,
      long readBytes,
      long events) {}

  /**
   * The time that the ranges of an answer took so far. It includes the time that the caller spent
   * between reads of the same range. In an answer of several groups the time of each group counts.
   *
   * @param rawBytes bytes of log that were read from raw logs
   * @param rawNanos the time for these bytes
   * @param storedBytes bytes of log whose events were read from columns
   * @param storedNanos the time for these bytes
   */
  public record Spent(long rawBytes, long rawNanos, long storedBytes, long storedNanos) {

    public static final Spent NOTHING = new Spent(0, 0, 0, 0);

    public Spent plus(Spent other) {
      return new Spent(
          rawBytes + other.rawBytes,
          rawNanos + other.rawNanos,
          storedBytes + other.storedBytes,
          storedNanos + other.storedNanos);
    }
  }

  /** Returns the bytes of log of the answer, from any source. */
  public long rawBytes() {
    return ranges.stream().mapToLong(Range::rawBytes).sum();
  }
}
