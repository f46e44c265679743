package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.ReadPlan;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.reading.AnswerReport;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.internal.trend.GroupTrend;
import org.kblake.query.internal.trend.TrendChannels;
import org.kblake.query.internal.trend.TrendWindow;
import org.kblake.query.question.TrendQuery;

/**
 * A planned question about aggregates. Nothing is read yet.
 *
 * @param query the question
 * @param resolution the channels of the question
 * @param infos the type of each channel, in their order; double if it had numbers of several types
 * @param trends the aggregates of each group of the resolution
 * @param windowBins the number of bins that are filled at a time
 * @param sources the report on the sources of the answer
 * @param unread notes on groups whose channels are unknown
 * @param parallel reads the groups
 */
public record TrendAnswer(
    TrendQuery query,
    ChannelResolution resolution,
    List<ChannelInfo> infos,
    List<GroupTrend> trends,
    int windowBins,
    AnswerReport sources,
    List<CoverageReport> unread,
    ParallelTasks parallel)
    implements AnswerReport {

  public TrendAnswer {
    infos = List.copyOf(infos);
    trends = List.copyOf(trends);
    unread = List.copyOf(unread);
  }

  static TrendAnswer of(TrendQuery query, ScopePlan plan, Readings readings, ParallelTasks parallel)
      throws IOException {
    ChannelResolution resolution = plan.resolution();
    TrendChannels types = new TrendChannels(query.aggregates());
    Map<Group, List<RecordTable>> tables = plan.tables();
    for (Channel channel : resolution.channels()) {
      types.add(resolution.target(channel), tables.getOrDefault(channel.group(), List.of()));
    }
    int groups = parallel.atOnce(resolution.groups().size());
    List<Reading> all = plan.numbered(readings.sharedBy(groups));
    List<GroupTrend> trends = new ArrayList<>();
    for (Reading group : all) {
      trends.add(new GroupTrend(group, query, types.rows(group.plan().group())));
    }
    return new TrendAnswer(
        query,
        resolution,
        types.infos(),
        trends,
        types.windowBins(),
        new AnswerReport.OfGroups(query.range(), all, plan.unread()),
        plan.unread(),
        parallel);
  }

  /** Reads the events of a window, each group in a task of its own. */
  public void read(TrendWindow window) throws IOException {
    parallel.map(
        trends,
        trend -> {
          trend.read(window);
          return trend;
        });
  }

  @Override
  public CoverageReport coverage() {
    List<CoverageReport> reports = new ArrayList<>();
    trends.forEach(trend -> reports.add(trend.coverage()));
    reports.addAll(unread);
    return CoverageBuilder.join(query.range(), reports);
  }

  @Override
  public ReadPlan plan() throws IOException {
    return sources.plan();
  }

  @Override
  public List<ReadRange> ranges() {
    return sources.ranges();
  }

  @Override
  public long rawBytes() {
    return trends.stream().mapToLong(GroupTrend::bytesRead).sum();
  }
}
