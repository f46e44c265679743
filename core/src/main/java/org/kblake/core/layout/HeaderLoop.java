package org.kblake.core.layout;

/**
 * The innermost loop of every scan. It skips values of records that were not requested, as nearly
 * all events are. It works on an array, whose bounds checks cost less than those of a mapped file.
 * Not thread safe.
 *
 * <p>A site may have its own subclass for its {@link LogLayout#headerLoop}.
 */
public abstract class HeaderLoop {

  /** The earliest time of the skipped events, as a {@link LogLayout#timeKey}. */
  public long earliestKey = Long.MAX_VALUE;

  /** The latest time of the skipped events, as a {@link LogLayout#timeKey}. */
  public long latestKey = Long.MIN_VALUE;

  /** Number of skipped events. */
  public int events;

  /** Has passed over nothing yet. */
  protected HeaderLoop() {}

  /**
   * Skips events as long as each is a value of any severity, of a record with a usual length and of
   * that length.
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
