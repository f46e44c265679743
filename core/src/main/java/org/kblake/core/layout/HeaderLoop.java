package org.kblake.core.layout;

/**
 * The innermost loop of every scan: passes over values of records that nobody asks for, which
 * nearly all events are. Works on an array, whose bounds cost less to check than those of a mapped
 * file. Not thread safe.
 *
 * <p>A subclass may be a site's own, for its {@link LogLayout#headerLoop}.
 */
public abstract class HeaderLoop {

  /** The earliest time passed over, as a {@link LogLayout#timeKey}. */
  public long earliestKey = Long.MAX_VALUE;

  /** The latest time passed over, as a {@link LogLayout#timeKey}. */
  public long latestKey = Long.MIN_VALUE;

  /** Events passed over. */
  public int events;

  /**
   * Passes over events as long as each is a value of whatever severity, of a record with a usual
   * length and of that length.
   *
   * @param log a part of a log
   * @param from where an event begins
   * @param last the last position at which a whole head is in the array
   * @param end the position that no event may reach past; may be behind the array
   * @param usualLength by id; {@link Integer#MAX_VALUE} of a record whose events stop the loop
   * @return where the first other event begins, or a position behind {@code last}
   */
  public abstract int pass(byte[] log, int from, int last, int end, int[] usualLength);
}
