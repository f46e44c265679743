package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;

/**
 * A question about aggregates of events in bins of equal width: [from, from + step), [from + step,
 * from + 2 step), and so on. The last bin ends at the end of the range. Immutable; each method
 * returns a changed copy.
 *
 * @param channels the channels
 * @param range the times of the bins
 * @param stepNanos the width of a bin, at least 1
 * @param aggregates the figures of a bin
 * @param lookBackNanos the greatest age of a held value, as in {@link HeldQuery}
 * @param source the source of the answer
 * @param allowIncomplete whether bins are returned of which events may be missing, because a log
 *     cannot be read
 * @param mask the times whose events and held values count; null for all
 */
public record TrendQuery(
    ChannelSelection channels,
    TimeRange range,
    long stepNanos,
    List<Aggregate> aggregates,
    long lookBackNanos,
    Source source,
    boolean allowIncomplete,
    @Nullable TimeMask mask) {

  public TrendQuery {
    aggregates = List.copyOf(aggregates);
    if (stepNanos < 1) {
      throw new IllegalArgumentException("step must be at least 1: nanos=" + stepNanos);
    }
    if (aggregates.isEmpty()) {
      throw new IllegalArgumentException("no aggregate is requested");
    }
    if (lookBackNanos < 0) {
      throw new IllegalArgumentException("look-back is negative: nanos=" + lookBackNanos);
    }
    if (range.fromNanos() == Long.MIN_VALUE) {
      throw new IllegalArgumentException("bins need a begin: range=" + range);
    }
  }

  /** A question about all times of the range. */
  public TrendQuery(
      ChannelSelection channels,
      TimeRange range,
      long stepNanos,
      List<Aggregate> aggregates,
      long lookBackNanos,
      Source source,
      boolean allowIncomplete) {
    this(channels, range, stepNanos, aggregates, lookBackNanos, source, allowIncomplete, null);
  }

  /** Returns a question with {@link HeldQuery#DEFAULT_LOOK_BACK}. */
  public static TrendQuery of(
      ChannelSelection channels, Instant from, Instant to, Duration step, Aggregate... aggregates) {
    return new TrendQuery(
        channels,
        EpochNanos.range(from, to),
        EpochNanos.of(step),
        List.of(aggregates),
        HeldQuery.DEFAULT_LOOK_BACK.toNanos(),
        Source.AUTO,
        false,
        null);
  }

  /** Sets the times of the bins. */
  public TrendQuery between(TimeRange newRange) {
    return new TrendQuery(
        channels, newRange, stepNanos, aggregates, lookBackNanos, source, allowIncomplete, mask);
  }

  /** Sets the greatest age of a held value. */
  public TrendQuery lookBack(Duration duration) {
    return new TrendQuery(
        channels,
        range,
        stepNanos,
        aggregates,
        EpochNanos.of(duration),
        source,
        allowIncomplete,
        mask);
  }

  /** Sets the source of the answer. */
  public TrendQuery from(Source newSource) {
    return new TrendQuery(
        channels, range, stepNanos, aggregates, lookBackNanos, newSource, allowIncomplete, mask);
  }

  /**
   * Allows bins of which events may be missing: they are returned without an exception. The reader
   * marks them, and its coverage lists the missing spans.
   */
  public TrendQuery allowingIncomplete() {
    return new TrendQuery(
        channels, range, stepNanos, aggregates, lookBackNanos, source, true, mask);
  }

  /** Leaves events and held values at other times out. */
  public TrendQuery within(TimeMask newMask) {
    return new TrendQuery(
        channels, range, stepNanos, aggregates, lookBackNanos, source, allowIncomplete, newMask);
  }

  /** Returns the number of bins; 0 if the range is empty. */
  public long bins() {
    long nanos = range.toNanos() - range.fromNanos();
    return nanos == 0 ? 0 : Long.divideUnsigned(nanos - 1, stepNanos) + 1;
  }

  /** Returns the begin of a bin, counted from 0. */
  public long binNanos(long bin) {
    return range.fromNanos() + bin * stepNanos;
  }

  /** Returns the end of a bin, not included. */
  public long binEndNanos(long bin) {
    return bin + 1 == bins() ? range.toNanos() : binNanos(bin + 1);
  }

  /** Returns whether held values are needed. */
  public boolean hasHeldValues() {
    return aggregates.contains(Aggregate.TIME_MEAN) || aggregates.contains(Aggregate.KNOWN);
  }

  @Override
  public String toString() {
    return channels
        + " from "
        + EpochNanos.instant(range.fromNanos())
        + " to "
        + EpochNanos.instant(range.toNanos())
        + " every "
        + Duration.ofNanos(stepNanos)
        + " "
        + aggregates;
  }
}
