package org.kblake.query.internal.trend;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.ValueCondition;

/**
 * The times at which one channel holds a value that meets a condition. They are the intervals whose
 * values {@link HeldIntegral} adds together.
 */
final class ConditionTimes {

  private final ValueCondition condition;
  private final long leastNanos;
  private final Spans met = new Spans();
  private final Spans known = new Spans();

  ConditionTimes(ValueCondition condition, long leastNanos) {
    this.condition = condition;
    this.leastNanos = leastNanos;
  }

  /** Returns the times at which the condition is met. */
  TimeMask met() {
    return met.mask();
  }

  /** Returns the times at which the value is known. */
  TimeMask known() {
    return known.mask();
  }

  /** Returns whether there are more intervals than are kept. */
  boolean isFull() {
    return met.isFull() || known.isFull();
  }

  /** Returns 1 for a value that meets the condition, 0 for another, NaN for an unknown one. */
  double valueOf(EventColumns events, int row) {
    if (events.waveform()
        || events.type() == ValueType.STRING
        || Double.isNaN(events.asDouble(row))) {
      return Double.NaN;
    }
    return condition.isMet(events, row) ? 1 : 0;
  }

  /** Adds an interval with a value. Intervals ascend. */
  void add(long from, long to, double value) {
    known.add(from, to, 0);
    if (value != 0) {
      met.add(from, to, leastNanos);
    }
  }

  /** Ranges that ascend. The last one is kept if it is long enough. */
  private static final class Spans {
    private final List<TimeRange> ranges = new ArrayList<>();
    private @Nullable TimeRange last;
    private long leastOfLast;

    void add(long from, long to, long leastNanos) {
      TimeRange before = last;
      if (before != null && before.toNanos() == from) {
        last = new TimeRange(before.fromNanos(), to);
      } else {
        keepLast();
        last = new TimeRange(from, to);
        leastOfLast = leastNanos;
      }
    }

    private void keepLast() {
      if (last != null && last.toNanos() - last.fromNanos() >= leastOfLast && !isFull()) {
        ranges.add(last);
      }
    }

    boolean isFull() {
      return ranges.size() >= IntervalQuery.MAX_INTERVALS;
    }

    TimeMask mask() {
      keepLast();
      last = null;
      return TimeMask.of(ranges);
    }
  }
}
