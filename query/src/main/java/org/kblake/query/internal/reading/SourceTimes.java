package org.kblake.query.internal.reading;

import org.kblake.query.answer.ReadPlan;

/**
 * The time between the begin and the end of the ranges of an answer, and the bytes of log that they
 * stand for. For the answer's thread.
 */
final class SourceTimes {

  private ReadPlan.Spent spent = ReadPlan.Spent.NOTHING;
  private long beginNanos;
  private long beginBytes;

  /**
   * Begins a range.
   *
   * @param bytes the bytes of log of the answer so far
   */
  void begin(long bytes) {
    beginNanos = System.nanoTime();
    beginBytes = bytes;
  }

  /**
   * Ends a range.
   *
   * @param stored whether it was read from columns
   * @param bytes the bytes of log of the answer so far
   */
  void end(boolean stored, long bytes) {
    long read = bytes - beginBytes;
    long nanos = System.nanoTime() - beginNanos;
    spent =
        spent.plus(
            stored ? new ReadPlan.Spent(0, 0, read, nanos) : new ReadPlan.Spent(read, nanos, 0, 0));
  }

  ReadPlan.Spent spent() {
    return spent;
  }
}
