package org.kblake.query.internal.trend;

import java.io.IOException;
import java.util.Objects;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.TimeMask;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.held.HeldLookup;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.source.RowOrder;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.ReadListener;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.ValueCondition;

/** Finds the times at which one channel holds a value that meets a condition. */
public final class ConditionSearch {

  private ConditionSearch() {}

  /**
   * What was found.
   *
   * @param met the times at which the condition is met
   * @param known the times at which the value is known
   */
  public record Found(TimeMask met, TimeMask known, CoverageReport coverage) {}

  /**
   * Reads the events of a channel once for their order, and once for the values.
   *
   * @param reading the channel
   * @param query a question with one bin, {@link Aggregate#KNOWN}
   * @throws IOException if a log cannot be read, or if there are too many intervals
   */
  public static Found find(
      Reading reading, TrendQuery query, ValueCondition condition, long leastNanos)
      throws IOException {
    ConditionTimes times = new ConditionTimes(condition, leastNanos);
    TrendWindow window = TrendWindow.of(query, 0, (int) query.bins());
    HeldQuery start = new HeldQuery(query.scope().at(window.fromNanos()));
    HeldLookup search = HeldLookup.run(reading, start, ReadListener.NONE);
    // As a channel of texts, it adds nothing but the number of events.
    ChannelTrend trend =
        new ChannelTrend(
            window, query.aggregates(), true, null, new double[EventColumns.PAGE_ROWS]);
    RollupPass.Input input =
        new RollupPass.Input(reading, query, window, new ChannelTrend[] {trend}, RowOrder.LOG);
    CoverageReport read = Objects.requireNonNull(new HeldPass(input, search, false, times).run());
    if (times.isFull()) {
      throw new IOException(
          reading.channels().get(0).name()
              + " met the condition in more than "
              + IntervalQuery.MAX_INTERVALS
              + " intervals; ask for a shorter period, or for intervals of a length"
              + " (for DURATION)");
    }
    return new Found(
        times.met(), times.known(), read.withMissing(search.missing()).withNotes(search.notes()));
  }
}
