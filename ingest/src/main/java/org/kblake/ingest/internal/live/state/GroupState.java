package org.kblake.ingest.internal.live.state;

import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/**
 * The state of a group.
 *
 * @param group the group
 * @param mode decides when the group is put into columns
 * @param blocks number of blocks in use
 * @param coveredBytes bytes of log that they hold
 * @param storedBytes bytes of their files
 * @param storedBytesPerDay stored bytes per day, mean of the last week
 * @param behindNanos time from the newest event in blocks to about the newest one of the log; 0 if
 *     blocks hold all of it, or the mode puts no new events into blocks
 * @param answeredNanos time when the files were last seen, as {@link System#nanoTime} counts
 * @param newestNanos about the time of the newest event of the log; {@link Long#MIN_VALUE} if it is
 *     unknown
 * @param away whether the archive did not show the group's pairs at the last poll
 */
public record GroupState(
    Group group,
    CacheSettings.Mode mode,
    int blocks,
    long coveredBytes,
    long storedBytes,
    double storedBytesPerDay,
    long pendingBytes,
    long behindNanos,
    long answeredNanos,
    long newestNanos,
    boolean away) {

  /** Files that were seen within this time count as unchanged. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  public static GroupState unknown(Group group) {
    return new GroupState(
        group,
        CacheSettings.Mode.FOLLOW,
        0,
        0,
        0,
        0,
        0,
        0,
        System.nanoTime(),
        Long.MIN_VALUE,
        false);
  }

  /**
   * Returns the time by which blocks are behind the log. While the archive does not answer, the log
   * is assumed to grow.
   *
   * @param nowNanos the time, as {@link System#nanoTime} counts
   */
  public long lagNanos(long nowNanos) {
    long unansweredNanos = nowNanos - answeredNanos;
    return unansweredNanos > FRESH_NANOS ? behindNanos + unansweredNanos : behindNanos;
  }

  /** Returns this state with one more block, until the blocks are listed again. */
  public GroupState with(Block block, long blockBytes) {
    long rawBytes = block.summary().rawBytes();
    return new GroupState(
        group,
        mode,
        blocks + 1,
        coveredBytes + rawBytes,
        storedBytes + blockBytes,
        storedBytesPerDay,
        Math.max(0, pendingBytes - rawBytes),
        behindNanos,
        answeredNanos,
        newestNanos,
        away);
  }
}
