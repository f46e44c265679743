package org.kblake.query.question;

import java.time.Duration;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;

/**
 * A question about the times at which a channel holds a value that meets a condition. Immutable;
 * each method returns a changed copy.
 *
 * <p>A value is held until the next one, as in {@link HeldQuery}. It is not known while the channel
 * was disconnected, while kblog was not running, where a log cannot be read, and when it is NaN.
 *
 * @param scope a selection of one channel, and the times of the answer
 * @param condition the condition
 * @param leastNanos the least length of an interval, at least 0. Times outside the range count, as
 *     far as the length needs them.
 */
public record IntervalQuery(Scope scope, ValueCondition condition, long leastNanos)
    implements Question<IntervalQuery> {

  /** The most intervals of an answer, which is in memory. */
  public static final int MAX_INTERVALS = 1_000_000;

  public IntervalQuery {
    if (leastNanos < 0) {
      throw new IllegalArgumentException("duration is negative: least=" + leastNanos);
    }
    TimeRange range = scope.range();
    if (EpochNanos.minus(range.fromNanos(), leastNanos) == Long.MIN_VALUE
        || EpochNanos.plus(range.toNanos(), leastNanos) == Long.MAX_VALUE) {
      throw new IllegalArgumentException("range needs a begin and an end: range=" + range);
    }
  }

  /**
   * Checks the times of combined conditions. They may have more intervals than each condition.
   *
   * @param met the times at which the conditions are met
   * @param known the times at which all values are known
   * @throws IllegalArgumentException if one of both has more than {@link #MAX_INTERVALS}
   */
  public static void requireFew(TimeMask met, TimeMask known) {
    if (met.ranges().size() > MAX_INTERVALS) {
      throw new IllegalArgumentException(
          "the conditions are met in more than "
              + MAX_INTERVALS
              + " intervals; ask for a shorter period, or for intervals of a length"
              + " (for DURATION)");
    }
    if (known.ranges().size() > MAX_INTERVALS) {
      throw new IllegalArgumentException(
          "the values of the conditions are known in more than "
              + MAX_INTERVALS
              + " intervals; ask for a shorter period");
    }
  }

  /** Returns a question with {@link HeldQuery#DEFAULT_LOOK_BACK} and without a least length. */
  public static IntervalQuery of(
      ChannelSelection channels, TimeRange range, ValueCondition condition) {
    return new IntervalQuery(Scope.of(channels).between(range), condition, 0);
  }

  @Override
  public IntervalQuery with(Scope newScope) {
    return new IntervalQuery(newScope, condition, leastNanos);
  }

  /** Sets the least length of an interval. */
  public IntervalQuery atLeast(Duration duration) {
    return new IntervalQuery(scope, condition, EpochNanos.of(duration));
  }

  /** Returns the range with the least length of an interval before and behind it. */
  public TimeRange readRange() {
    return new TimeRange(
        EpochNanos.minus(range().fromNanos(), leastNanos),
        EpochNanos.plus(range().toNanos(), leastNanos));
  }
}
