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
import org.kblake.query.internal.plan.AnswerReport;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.trend.GroupTrend;
import org.kblake.query.internal.trend.TrendChannels;
import org.kblake.query.internal.trend.TrendSources;
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
 * @param report the sources of the answer
 * @param unread notes on groups whose channels are unknown
 * @param parallel reads the groups
 */
public record TrendAnswer(
    TrendQuery query,
    ChannelResolution resolution,
    List<ChannelInfo> infos,
    List<GroupTrend> trends,
    int windowBins,
    AnswerReport report,
    List<CoverageReport> unread,
    ParallelTasks parallel) {

  public TrendAnswer {
    infos = List.copyOf(infos);
    trends = List.copyOf(trends);
    unread = List.copyOf(unread);
  }

  /**
   * @param plans the plans of the resolution's groups, in their order
   */
  static TrendAnswer of(
      TrendQuery query,
      ChannelResolution resolution,
      List<GroupPlan> plans,
      List<CoverageReport> unread,
      TrendSources sources,
      ParallelTasks parallel)
      throws IOException {
    TrendChannels types = new TrendChannels(query.aggregates());
    Map<Group, List<RecordTable>> tables = SelectionPlans.tables(plans);
    for (Channel channel : resolution.channels()) {
      types.add(resolution.target(channel), tables.getOrDefault(channel.group(), List.of()));
    }
    TrendSources shared = sources.sharedBy(parallel.atOnce(plans.size()));
    List<List<ChannelTarget>> allTargets = resolution.numbered();
    List<GroupTrend> trends = new ArrayList<>();
    List<GroupRead> reads = new ArrayList<>();
    for (GroupPlan plan : plans) {
      Group group = plan.groupPairs().group();
      List<ChannelTarget> targets = allTargets.get(trends.size());
      trends.add(new GroupTrend(shared, plan, targets, types.rows(group)));
      reads.add(TrendSources.read(plan, targets, query.range(), query.range(), plan.report()));
    }
    return new TrendAnswer(
        query,
        resolution,
        types.infos(),
        trends,
        types.windowBins(),
        new AnswerReport.OfGroups(query.range(), reads, unread),
        unread,
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
}
