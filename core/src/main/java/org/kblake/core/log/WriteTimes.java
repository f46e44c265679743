package org.kblake.core.log;

import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeRange;

/**
 * The times of a span of a log. All times are nanoseconds since 1970 UTC.
 *
 * @param beginNanos the time of its first milestone
 * @param lastWriteNanos the time of its last event or milestone
 * @param endNanos the time up to which the log is known if more of it follows
 * @param silenceNanos the longest time between writes of a running archiver
 * @param written the times in which the archiver was not down, in log order
 * @param damaged the times of its segments with damaged bytes
 */
public record WriteTimes(
    long beginNanos,
    long lastWriteNanos,
    long endNanos,
    long silenceNanos,
    List<TimeRange> written,
    List<TimeRange> damaged) {

  public WriteTimes {
    written = List.copyOf(written);
    damaged = List.copyOf(damaged);
  }

  /** Takes times in which the archiver was not down; both ends are times of a write. */
  @FunctionalInterface
  public interface Sink {
    void add(long fromNanos, long toNanos);
  }

  /**
   * Returns the longest time between writes of a running archiver: two milestone intervals.
   *
   * @param intervalNanos the milestone interval of the log
   */
  public static long silenceNanos(long intervalNanos) {
    return 2 * intervalNanos;
  }

  /**
   * Returns the last time for which the last segment of a pair counts: that of its span, or up to
   * which a pair that begins shows that the archiver was not down.
   *
   * @param spanToNanos the end of its span
   * @param milestoneNanos the time of its milestone
   * @param lastNanos the latest time of its events, {@link Long#MIN_VALUE} if it has none
   * @param intervalNanos the milestone interval of the log
   */
  public static long reachNanos(
      long spanToNanos, long milestoneNanos, long lastNanos, long intervalNanos) {
    long lastWrite = Math.max(milestoneNanos, lastNanos);
    return Math.max(spanToNanos, EpochNanos.plus(lastWrite, silenceNanos(intervalNanos)));
  }

  /**
   * Finds the times of a segment in which the archiver was not down. Its known writes are its
   * milestone, its first and last event, and what follows it.
   *
   * @param milestoneNanos the time of its milestone
   * @param firstNanos the earliest time of its events, {@link Long#MAX_VALUE} if it has none
   * @param lastNanos the latest time of its events, {@link Long#MIN_VALUE} if it has none
   * @param toNanos the time of the write that follows it, or of its last one
   * @param silenceNanos the longest time between writes of a running archiver
   */
  public static void ofSegment(
      long milestoneNanos,
      long firstNanos,
      long lastNanos,
      long toNanos,
      long silenceNanos,
      Sink into) {
    long from = milestoneNanos;
    long first = firstNanos == Long.MAX_VALUE ? toNanos : firstNanos;
    if (EpochNanos.minus(first, from) > silenceNanos) {
      into.add(from, from);
      from = first;
    }
    long last = Math.max(from, lastNanos);
    into.add(from, EpochNanos.minus(toNanos, last) > silenceNanos ? last : toNanos);
  }

  /** Finds the times of a span from its segments. */
  public static final class Builder {

    private final long silenceNanos;
    private final List<TimeRange> written = new ArrayList<>();
    private final List<TimeRange> damaged = new ArrayList<>();
    private long beginNanos = Long.MAX_VALUE;
    private long lastWriteNanos;
    private long endNanos;

    /** The open span of writes. */
    private long fromNanos = Long.MAX_VALUE;

    private long toNanos = Long.MIN_VALUE;

    /**
     * @param intervalNanos the milestone interval of the log
     */
    public Builder(long intervalNanos) {
      silenceNanos = silenceNanos(intervalNanos);
    }

    /**
     * Adds a segment. Segments are added in log order.
     *
     * @param milestoneNanos the time of its milestone
     * @param firstNanos the earliest time of its events, {@link Long#MAX_VALUE} if it has none
     * @param lastNanos the latest time of its events, {@link Long#MIN_VALUE} if it has none
     * @param nextNanos the time of the next milestone
     * @param last whether nothing follows it in the span: then {@code written} ends with its last
     *     write
     */
    public void add(
        long milestoneNanos, long firstNanos, long lastNanos, long nextNanos, boolean last) {
      if (beginNanos == Long.MAX_VALUE) {
        beginNanos = milestoneNanos;
      }
      lastWriteNanos = Math.max(milestoneNanos, lastNanos);
      endNanos = Math.max(lastWriteNanos, nextNanos);
      long to = last ? lastWriteNanos : endNanos;
      ofSegment(milestoneNanos, firstNanos, lastNanos, to, silenceNanos, this::write);
    }

    /** Adds the span of a segment with damaged bytes; both ends are times of it. */
    public void addDamaged(long spanFromNanos, long spanToNanos) {
      damaged.add(
          new TimeRange(spanFromNanos, Math.max(spanFromNanos, EpochNanos.plus(spanToNanos, 1))));
    }

    private void write(long from, long to) {
      if (from < fromNanos || from > toNanos) {
        close();
        fromNanos = from;
        toNanos = from;
      }
      toNanos = Math.max(toNanos, to);
    }

    private void close() {
      if (fromNanos < toNanos) {
        written.add(new TimeRange(fromNanos, toNanos));
      }
    }

    /** Returns the times of the segments, at least one. Nothing is added afterwards. */
    public WriteTimes build() {
      close();
      return new WriteTimes(beginNanos, lastWriteNanos, endNanos, silenceNanos, written, damaged);
    }
  }
}
