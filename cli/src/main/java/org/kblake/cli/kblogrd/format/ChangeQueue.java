package org.kblake.cli.kblogrd.format;

import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Puts changes into time order that come in log order, in which an event may be late by the
 * disorder bound. What is older than that behind the latest time seen leaves. After a clock was set
 * back by more, and where changes are too large to be kept so long, order is that of the log.
 */
final class ChangeQueue {

  private static final long MOST_BYTES = 16L << 20;
  private static final int BYTES_BESIDE_CELLS = 96;

  /**
   * A channel's value event.
   *
   * @param sequence its place in log order
   * @param cells its value, as a row shows it
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

  /** The place in log order of a change that is not wanted. */
  long passOver() {
    return sequence++;
  }

  /** No change comes any more: all may leave. */
  void end() {
    ended = true;
  }

  /** The next change that may leave, in time order; null if none may. */
  @Nullable Change poll() {
    Change first = changes.peek();
    if (first == null || !ended && bytes <= MOST_BYTES && !isOld(first)) {
      return null;
    }
    return take();
  }

  /** The next change if it is of an instant. */
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
