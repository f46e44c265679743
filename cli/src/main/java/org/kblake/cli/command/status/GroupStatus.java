package org.kblake.cli.command.status;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.status.RunStatus.GroupNumbers;
import org.kblake.cli.run.status.StoreFigures;
import org.kblake.core.model.Group;

/**
 * The status of one group.
 *
 * @param group the group
 * @param away whether the archive does not show the group's pairs; the size of its log is then
 *     unknown
 * @param pairs the number of pairs in the archive
 * @param firstNanos the begin of its first pair in archive or store; null if there is none
 * @param newestNanos the time of its newest event; null if unknown
 * @param rawBytes the size of its logs, including logs that are in columns only
 * @param coveredBytes the bytes of log that are in columns
 * @param missingBytes the bytes of log that are in columns only, because the log is missing
 * @param evictedBytes the bytes of log whose columns were evicted because of the budget
 * @param blocks the number of blocks
 * @param storedBytes the size of its blocks, including everything that a restore needs
 * @param storedEvents the number of events in columns
 * @param rawBytesPerDay the bytes of log written per day in the last week
 * @param storedBytesPerDay the bytes of blocks per day of log in the last week
 * @param columnsNanos the time of the newest event in columns; null if there is none
 * @param lagNanos the time from the newest event in columns to the newest event; 0 if all events of
 *     the log are in columns; null if there are no columns or the group is away
 * @param problems a line for each file or directory that cannot be read
 */
record GroupStatus(
    Group group,
    boolean away,
    int pairs,
    @Nullable Long firstNanos,
    @Nullable Long newestNanos,
    long rawBytes,
    long coveredBytes,
    long missingBytes,
    long evictedBytes,
    int blocks,
    long storedBytes,
    long storedEvents,
    double rawBytesPerDay,
    double storedBytesPerDay,
    @Nullable Long columnsNanos,
    @Nullable Long lagNanos,
    List<String> problems) {

  GroupStatus {
    problems = List.copyOf(problems);
  }

  /**
   * Returns the share of the logs that is in columns, 0 to 1. It is 1 without logs and null if the
   * group is away.
   */
  @Nullable Double coverage() {
    return away ? null : Double.valueOf(StoreFigures.share(coveredBytes, rawBytes));
  }

  /**
   * Returns the time since the newest event; null if there is none, or the archive does not show
   * the group.
   */
  @Nullable Long ageSeconds(Instant now) {
    return newestNanos == null || away
        ? null
        : Long.valueOf(
            Math.max(0, Duration.between(Instant.ofEpochSecond(0, newestNanos), now).toSeconds()));
  }

  /**
   * Returns these figures in the form of a process that follows the group.
   *
   * @param mode the mode in which the group is put into columns
   */
  GroupNumbers numbers(String mode) {
    return new GroupNumbers(
        group.toString(),
        mode,
        blocks,
        coveredBytes,
        storedBytes,
        Math.round(storedBytesPerDay),
        Math.max(0, rawBytes - coveredBytes - evictedBytes),
        TimeUnit.NANOSECONDS.toSeconds(behindNanos()),
        away,
        newestNanos == null ? null : Instant.ofEpochSecond(0, newestNanos).toString());
  }

  /**
   * Returns the lag. Without columns it is the whole recorded period. It is 0 for a group that is
   * away, whose lag is unknown.
   */
  private long behindNanos() {
    if (lagNanos != null) {
      return lagNanos;
    }
    if (away) {
      return 0;
    }
    return newestNanos == null || firstNanos == null ? 0 : Math.max(0, newestNanos - firstNanos);
  }
}
