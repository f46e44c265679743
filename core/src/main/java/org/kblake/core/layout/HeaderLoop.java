package org.kblake.core.layout;

import java.nio.ByteBuffer;

/**
 * The innermost loop of every scan. It skips values of records that are not wanted. Nearly all
 * events are such values. Not thread safe.
 *
 * <p>A site may return its own subclass from its {@link LogLayout#headerLoop}.
 */
public abstract class HeaderLoop {

  /** The earliest time of the skipped events, as a {@link LogLayout#timeKey}. */
  public long earliestKey = Long.MAX_VALUE;

  /** The latest time of the skipped events, as a {@link LogLayout#timeKey}. */
  public long latestKey = Long.MIN_VALUE;

  /** The number of skipped events. */
  public int events;

  /** Makes a loop that has skipped no events. */
  protected HeaderLoop() {}

  /**
   * Skips events while each is a value of any severity, and has the usual length of its record.
   *
   * @param log bytes of a log, in the order of the pair
   * @param from the position of an event
   * @param last the last position at which a whole event header is in them
   * @param end the position that no event may reach past; may be behind them
   * @param usualLength the usual length by id; {@link Integer#MAX_VALUE} for a record whose events
   *     stop the loop, and for an id that no record has; its size is a power of 2, or 0
   * @return the position of the first other event, or a position behind {@code last}
   */
  public abstract int pass(ByteBuffer log, int from, int last, int end, int[] usualLength);
}
