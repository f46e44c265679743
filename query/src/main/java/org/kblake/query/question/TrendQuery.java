package org.kblake.query.question;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;

/**
 * A question about aggregates of events in bins of equal width: [from, from + step), [from + step,
 * from + 2 step), and so on. The last bin ends at the end of the range. Immutable; each method
 * returns a changed copy.
 *
 * @param scope the channels, and the times of the bins
 * @param stepNanos the width of a bin, at least 1
 * @param aggregates the figures of a bin
 */
public record TrendQuery(Scope scope, long stepNanos, List<Aggregate> aggregates)
    implements Question<TrendQuery> {

  public TrendQuery {
    aggregates = List.copyOf(aggregates);
    if (stepNanos < 1) {
      throw new IllegalArgumentException("step must be at least 1: nanos=" + stepNanos);
    }
    if (aggregates.isEmpty()) {
      throw new IllegalArgumentException("no aggregate is requested");
    }
    if (scope.range().fromNanos() == Long.MIN_VALUE) {
      throw new IllegalArgumentException("bins need a begin: range=" + scope.range());
    }
  }

  /** Returns a question with {@link HeldQuery#DEFAULT_LOOK_BACK}. */
  public static TrendQuery of(
      ChannelSelection channels, Instant from, Instant to, Duration step, Aggregate... aggregates) {
    return new TrendQuery(
        Scope.of(channels).between(EpochNanos.range(from, to)),
        EpochNanos.of(step),
        List.of(aggregates));
  }

  @Override
  public TrendQuery with(Scope newScope) {
    return new TrendQuery(newScope, stepNanos, aggregates);
  }

  /** Sets the times of the bins. */
  public TrendQuery between(TimeRange range) {
    return with(scope.between(range));
  }

  /** Leaves events and held values at other times out. */
  public TrendQuery within(TimeMask mask) {
    return with(scope.within(mask));
  }

  /** Returns the times whose events and held values count; null for all. */
  public @Nullable TimeMask mask() {
    return scope.mask();
  }

  /** Returns the number of bins; 0 if the range is empty. */
  public long bins() {
    long nanos = range().toNanos() - range().fromNanos();
    return nanos == 0 ? 0 : Long.divideUnsigned(nanos - 1, stepNanos) + 1;
  }

  /** Returns the begin of a bin, counted from 0. */
  public long binNanos(long bin) {
    return range().fromNanos() + bin * stepNanos;
  }

  /** Returns the end of a bin, not included. */
  public long binEndNanos(long bin) {
    return bin + 1 == bins() ? range().toNanos() : binNanos(bin + 1);
  }

  /** Returns whether held values are needed. */
  public boolean hasHeldValues() {
    return aggregates.contains(Aggregate.TIME_MEAN) || aggregates.contains(Aggregate.KNOWN);
  }

  @Override
  public String toString() {
    return scope.channelsAndRange() + " every " + Duration.ofNanos(stepNanos) + " " + aggregates;
  }
}
