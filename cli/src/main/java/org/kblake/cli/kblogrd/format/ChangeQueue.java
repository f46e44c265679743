package org.kblake.cli.kblogrd.format;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts changes from log order into time order. An event may be late by the disorder bound. So a
 * change can be removed from the queue when it is older than the latest time by more than the
 * bound. The order is that of the log if a clock was set back by more than the bound, or if the
 * queue reaches its limit of memory.
 */
final class ChangeQueue {

  private static final long MAX_BYTES = 16L << 20;
  private static final int BYTES_BESIDE_CELLS = 96;

  /**
   * A channel's value event.
   *
   * @param sequence the position in log order
   * @param cells the cells of its value
   */
  record Change(long nanos, long sequence, int channel, byte[] cells)
      implements Comparable<Change> {

    @Override
    public int compareTo(Change other) {
      int byTime = Long.compare(nanos, other.nanos);
      return byTime != 0 ? byTime : Long.compare(sequence, other.sequence);
    }

    private int bytes() {
      return cells.length + BYTES_BESIDE_CELLS;
    }
  }

  private final PriorityQueue<Change> changes = new PriorityQueue<>();
  private final long disorderBoundNanos;
  private long latestNanos = Long.MIN_VALUE;
  private long sequence;
  private long bytes;
  private boolean ended;

  ChangeQueue(long disorderBoundNanos) {
    this.disorderBoundNanos = disorderBoundNanos;
  }

  void add(long nanos, int channel, byte[] cells) {
    Change change = new Change(nanos, sequence++, channel, cells);
    changes.add(change);
    bytes += change.bytes();
    latestNanos = Math.max(latestNanos, nanos);
  }

  /** Skips a change. Returns its position in log order. */
  long skip() {
    return sequence++;
  }

  /** Ends the queue: no more changes are added, and all can be removed. */
  void end() {
    ended = true;
  }

  /** Removes the next change in time order that can be removed; null if there is none. */
  @Nullable Change poll() {
    Change first = changes.peek();
    if (first == null || !ended && bytes <= MAX_BYTES && !isOld(first)) {
      return null;
    }
    return take();
  }

  /** Removes the next change if its time is an instant; null otherwise. */
  @Nullable Change poll(long nanos) {
    Change first = changes.peek();
    return first != null && first.nanos() == nanos ? take() : null;
  }

  private boolean isOld(Change change) {
    return latestNanos - change.nanos() > disorderBoundNanos;
  }

  private Change take() {
    Change first = changes.remove();
    bytes -= first.bytes();
    return first;
  }
}
