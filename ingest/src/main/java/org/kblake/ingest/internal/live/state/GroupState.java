package org.kblake.ingest.internal.live.state;

import java.util.concurrent.TimeUnit;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;

/**
 * How a group stands.
 *
 * @param group the group
 * @param mode when it is put into columns
 * @param blocks blocks in use
 * @param coveredBytes bytes of log that they hold
 * @param storedBytes bytes of their files
 * @param storedBytesPerDay how many bytes a day of the last week took
 * @param behindNanos from the newest event in blocks to about the newest one of the log; 0 if
 *     blocks hold all of it, or they are not to be put into blocks
 * @param answeredNanos when the files were last seen, as {@link System#nanoTime} counts
 * @param away whether the archive did not show the group's pairs at the last look
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
    boolean away) {

  /** Files that were seen so long ago are still what they were. */
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(30);

  public static GroupState unknown(Group group) {
    return new GroupState(
        group, CacheSettings.Mode.FOLLOW, 0, 0, 0, 0, 0, 0, System.nanoTime(), false);
  }

  /**
   * How far blocks are behind the log. Where the archive does not answer, it is taken to grow.
   *
   * @param nowNanos as {@link System#nanoTime} counts
   */
  public long lagNanos(long nowNanos) {
    long silentNanos = nowNanos - answeredNanos;
    return silentNanos > FRESH_NANOS ? behindNanos + silentNanos : behindNanos;
  }

  /** The same with one more block, until the blocks are listed again. */
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
        away);
  }
}
