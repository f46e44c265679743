package org.kblake.record.log;

import java.util.concurrent.TimeUnit;

/**
 * The intervals of a log, all in nanoseconds.
 *
 * @param milestoneNanos the time between milestones, at most an hour, which is the span that
 *     readers give the last segment of a pair with one milestone
 * @param flushNanos the longest time that events wait in memory
 * @param syncNanos the time between syncs of {@link SyncPolicy#INTERVAL}
 * @param rotateNanos the time after which a new pair begins
 * @param newPairNanos the shortest time between pairs that begin because of changed records
 * @param learnNanos the longest time for which the first pair waits for connections
 */
public record LogTiming(
    long milestoneNanos,
    long flushNanos,
    long syncNanos,
    long rotateNanos,
    long newPairNanos,
    long learnNanos) {

  /** 10 minutes, 100 ms, 1 s, never, 1 minute, 5 s. */
  public static final LogTiming DEFAULT =
      new LogTiming(
          TimeUnit.MINUTES.toNanos(10),
          TimeUnit.MILLISECONDS.toNanos(100),
          TimeUnit.SECONDS.toNanos(1),
          Long.MAX_VALUE,
          TimeUnit.MINUTES.toNanos(1),
          TimeUnit.SECONDS.toNanos(5));

  public LogTiming {
    if (milestoneNanos <= 0
        || milestoneNanos > TimeUnit.HOURS.toNanos(1)
        || flushNanos < 0
        || syncNanos < 0
        || rotateNanos <= 0
        || newPairNanos < 0
        || learnNanos < 0) {
      throw new IllegalArgumentException(
          "an interval is out of its limits, milestones at most an hour: milestoneNanos="
              + milestoneNanos
              + ", flushNanos="
              + flushNanos
              + ", syncNanos="
              + syncNanos
              + ", rotateNanos="
              + rotateNanos
              + ", newPairNanos="
              + newPairNanos
              + ", learnNanos="
              + learnNanos);
    }
  }
}
