package org.kblake.cli.command.status;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.status.RunStatus.GroupNumbers;
import org.kblake.cli.run.status.StoreFigures;
import org.kblake.core.model.Group;

/**
 * How one group stands.
 *
 * @param group the group
 * @param away whether the archive does not show its pairs, so that the size of its log is unknown
 * @param pairs pairs in the archive
 * @param firstNanos when its first pair begins, in the archive or the store; null if there is none
 * @param newestNanos time of its newest event; null if none is known
 * @param rawBytes size of its logs, including logs that are in columns only
 * @param coveredBytes how many of these are in columns
 * @param missingBytes how many of these are in columns only: their logs are missing
 * @param evictedBytes how many of these went from columns for the sake of the budget
 * @param blocks how many
 * @param storedBytes size of its blocks, everything that a restore needs included
 * @param storedEvents events in columns
 * @param rawBytesPerDay how much log was written per day of the last week
 * @param storedBytesPerDay how many bytes of blocks a day of the last week took
 * @param columnsNanos time of the newest event in columns; null if none is there
 * @param lagNanos from the newest event in columns to the newest event; 0 if all events of the log
 *     are in columns, null if nothing is in columns or the group is away
 * @param problems what could not be read, one line each
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

  /** Share of the logs that is in columns, 0 to 1; 1 where there is no log, null if it is away. */
  @Nullable Double coverage() {
    return away ? null : Double.valueOf(StoreFigures.share(coveredBytes, rawBytes));
  }

  /**
   * The same figures as a process that follows the group has.
   *
   * @param mode when it becomes columns
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
        away);
  }

  /**
   * Where nothing is in columns, all that was recorded is behind; it is unknown for a group that is
   * away.
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
