package org.kblake.server.internal.appliance.operator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.kblake.core.model.TimeRange;
import org.kblake.query.TrendReader;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.TrendQuery;
import org.kblake.server.internal.appliance.sample.Missing;
import org.kblake.server.internal.appliance.sample.SampleReader;
import org.kblake.server.internal.data.ChannelQuestions;

/**
 * The aggregates of the bins that have events. Bins that the range cuts are trends of their own, so
 * that all other bins can come from rollups.
 */
final class TrendBins implements AutoCloseable {

  private final SampleReader reader;
  private final BinGrid grid;
  private final List<Aggregate> aggregates;
  private final List<TrendReader> trends = new ArrayList<>();
  private int current;
  private Missing missing = Missing.NOTHING;

  /**
   * Opens the trends.
   *
   * @param aggregates has COUNT
   * @throws org.kblake.query.question.UnsupportedAggregateException if the channel's type does not
   *     have an aggregate
   */
  TrendBins(SampleReader reader, BinGrid grid, List<Aggregate> aggregates) throws IOException {
    this.reader = reader;
    this.grid = grid;
    this.aggregates = aggregates;
    TimeRange all = grid.times(grid.first(), grid.last() + 1);
    long width = grid.widthNanos();
    long whole = -Math.floorDiv(-all.fromNanos(), width) * width;
    long wholeEnd = Math.floorDiv(all.toNanos(), width) * width;
    try {
      if (whole >= wholeEnd) {
        add(all.fromNanos(), Math.min(all.toNanos(), whole));
        add(Math.min(all.toNanos(), whole), all.toNanos());
      } else {
        add(all.fromNanos(), whole);
        add(whole, wholeEnd);
        add(wholeEnd, all.toNanos());
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void add(long fromNanos, long toNanos) throws IOException {
    if (fromNanos < toNanos) {
      trends.add(open(new TimeRange(fromNanos, toNanos)));
    }
  }

  private TrendReader open(TimeRange range) throws IOException {
    return reader
        .archive()
        .reader()
        .trend(
            new TrendQuery(
                reader.archive().scope(ChannelQuestions.selection(reader.channel())).between(range),
                grid.widthNanos(),
                aggregates));
  }

  /** Moves to the next bin with an event. Returns false if there is none. */
  boolean next() throws IOException {
    while (current < trends.size()) {
      TrendReader trend = trends.get(current);
      while (trend.next()) {
        if (trend.count(0) > 0) {
          return true;
        }
      }
      missing = missing.and(Missing.of(trend.coverage()));
      trend.close();
      current++;
    }
    return false;
  }

  private TrendReader current() {
    return trends.get(current);
  }

  long bin() {
    return grid.bin(current().timeNanos());
  }

  long count() {
    return current().count(0);
  }

  /** Returns an aggregate; NaN if the bin does not have it. */
  double number(Aggregate aggregate) {
    TrendReader open = current();
    return open.has(0, aggregate) ? open.number(0, aggregate) : Double.NaN;
  }

  int severity() {
    return (int) current().integer(0, Aggregate.SEVERITY);
  }

  Missing missing() {
    return missing;
  }

  @Override
  public void close() {
    trends.forEach(TrendReader::close);
  }
}
