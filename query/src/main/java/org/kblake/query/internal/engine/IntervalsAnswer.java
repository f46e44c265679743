package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.List;
import org.kblake.core.model.Channel;
import org.kblake.core.model.TimeMask;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.Intervals;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.trend.ConditionSearch;
import org.kblake.query.question.Aggregate;
import org.kblake.query.question.IntervalQuery;
import org.kblake.query.question.Scope;
import org.kblake.query.question.TrendQuery;

/**
 * The answer to a question about intervals.
 *
 * @param intervals the intervals and their coverage
 * @param ranges the ranges that were read
 */
public record IntervalsAnswer(Intervals intervals, List<ReadRange> ranges) {

  /** Returns the question about the known times, of one bin; of two if a bin cannot be so long. */
  static TrendQuery times(IntervalQuery query) {
    TimeRange range = query.readRange();
    long length = range.toNanos() - range.fromNanos();
    return new TrendQuery(
        Scope.of(query.channels())
            .between(range)
            .from(query.source())
            .lookBackNanos(query.lookBackNanos())
            .allowIncomplete(),
        length < 0 ? Long.MAX_VALUE : Math.max(1, length),
        List.of(Aggregate.KNOWN));
  }

  /**
   * Reads the events of the question's channel.
   *
   * @throws IllegalArgumentException if the selection has several channels, or one without numbers
   * @throws IncompleteAnswerException if a log cannot be read, unless the query allows it
   */
  static IntervalsAnswer of(
      IntervalQuery query, TrendQuery times, ScopePlan plan, Readings readings) throws IOException {
    ChannelResolution resolution = plan.resolution();
    Channel channel = resolution.channels().get(0);
    if (resolution.channels().size() > 1) {
      throw new IllegalArgumentException(
          "a condition is of one channel, and these match: " + resolution.channels());
    }
    ChannelTarget target = resolution.target(channel);
    ChannelInfo info = ChannelResolution.describe(target, plan.answering().get(0).tables());
    if (info != null && (info.elementCount() > 1 || info.type() == ValueType.STRING)) {
      throw new IllegalArgumentException(
          "a condition compares numbers, and "
              + channel.name()
              + " has "
              + (info.elementCount() > 1 ? "waveforms" : "texts"));
    }
    Reading reading = plan.numbered(readings).get(0);
    // Each event is read twice.
    readings.listener().planned(2 * reading.bytes());
    ConditionSearch.Found found =
        ConditionSearch.find(reading, times, query.condition(), query.leastNanos());
    AnswerReport report = new AnswerReport.OfGroups(times.range(), List.of(reading), plan.unread());
    CoverageReport coverage =
        report
            .stoppableCoverage()
            .withMissing(found.coverage().missing())
            .withNotes(found.coverage().lookBackNotes());
    if (!coverage.isComplete() && !query.allowsIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    TimeMask within = TimeMask.of(List.of(query.range()));
    return new IntervalsAnswer(
        new Intervals(channel, found.met().and(within), found.known().and(within), coverage),
        report.ranges());
  }
}
