package org.kblake.query.internal.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.internal.plan.ChannelResolution;
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
 * @param plan the plan of its scope
 * @param types the types of the channels, in their order
 * @param trends the aggregates of each group of the resolution
 * @param parallel reads the groups
 */
public record TrendAnswer(
    TrendQuery query,
    ScopePlan plan,
    TrendChannels types,
    List<GroupTrend> trends,
    ParallelTasks parallel) {

  static TrendAnswer of(TrendQuery query, ScopePlan plan, Readings readings, ParallelTasks parallel)
      throws IOException {
    ChannelResolution resolution = plan.resolution();
    TrendChannels types = new TrendChannels(query.aggregates());
    Map<Group, List<RecordTable>> tables = plan.tables();
    for (Channel channel : resolution.channels()) {
      types.add(resolution.target(channel), tables.getOrDefault(channel.group(), List.of()));
    }
    int groups = parallel.atOnce(resolution.groups().size());
    List<GroupTrend> trends = new ArrayList<>();
    for (Reading group : plan.numbered(readings.sharedBy(groups))) {
      trends.add(new GroupTrend(group, query, types.rows(group.plan().group())));
    }
    return new TrendAnswer(query, plan, types, trends, parallel);
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

  /** Returns the channels of the question. */
  public ChannelResolution resolution() {
    return plan.resolution();
  }

  /** Returns the report on the groups. */
  public AnswerReport report() {
    return new AnswerReport.OfGroups(query.range(), trends, plan.unread());
  }
}
