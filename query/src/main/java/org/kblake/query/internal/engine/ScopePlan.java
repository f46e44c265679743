package org.kblake.query.internal.engine;

import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.internal.catalog.GroupTables;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.reading.Reading;
import org.kblake.query.internal.reading.Readings;
import org.kblake.query.question.Scope;
import org.kblake.query.question.UnknownChannelException;

/**
 * The plan of a question's scope.
 *
 * @param plans the plans of the scope's groups; some have none of the channels
 * @param resolution the channels that were found in them
 */
record ScopePlan(List<GroupPlan> plans, ChannelResolution resolution) {

  /**
   * @throws UnknownChannelException if a name or a pattern matches no channel of the plans
   */
  static ScopePlan of(Scope scope, List<GroupPlan> plans)
      throws UnknownChannelException, InterruptedIOException {
    List<GroupTables> tables = new ArrayList<>();
    for (GroupPlan plan : plans) {
      tables.add(
          new GroupTables(
              plan.group(),
              plan.tables(),
              plan.tableEndNanos(),
              plan.groupPairs().aliases(),
              plan.unreadTable()));
    }
    return new ScopePlan(plans, ChannelResolution.of(scope.channels().patterns(), tables));
  }

  /** Returns the plans of the groups that have the channels, in the order of the resolution. */
  List<GroupPlan> answering() {
    Map<Group, GroupPlan> byGroup = new HashMap<>();
    plans.forEach(plan -> byGroup.putIfAbsent(plan.group(), plan));
    return resolution.groups().stream().map(byGroup::get).toList();
  }

  /** Returns the readings of {@link #answering}, with the indices of channels in the answer. */
  List<Reading> readings(Readings readings) {
    return readings(readings, resolution.targets());
  }

  /** Returns the same with channels that are numbered from 0 in each group. */
  List<Reading> numbered(Readings readings) {
    return readings(readings, resolution.numbered());
  }

  private List<Reading> readings(Readings readings, List<List<ChannelTarget>> targets) {
    List<Reading> all = new ArrayList<>();
    for (GroupPlan plan : answering()) {
      all.add(readings.of(plan, targets.get(all.size())));
    }
    return all;
  }

  /** Returns notes on groups whose channels are unknown, and may match a pattern. */
  List<CoverageReport> unread() {
    if (resolution.isOfNames()) {
      return List.of();
    }
    return plans.stream().filter(GroupPlan::isUnread).map(plan -> plan.report().report()).toList();
  }

  /** Returns the times whose record tables could not be read. */
  List<CoverageSpan> unreadTables() throws InterruptedIOException {
    List<CoverageSpan> unread = new ArrayList<>();
    for (GroupPlan plan : plans) {
      unread.addAll(plan.unreadTables());
    }
    return unread;
  }

  /** Returns the record tables of each group. */
  Map<Group, List<RecordTable>> tables() {
    Map<Group, List<RecordTable>> tables = new HashMap<>();
    plans.forEach(plan -> tables.put(plan.group(), plan.tables()));
    return tables;
  }

  /** Returns the channels that are in a record table of their group's plan. */
  List<ChannelInfo> infos() {
    Map<Group, List<RecordTable>> tables = tables();
    List<ChannelInfo> infos = new ArrayList<>();
    for (Channel channel : resolution.channels()) {
      ChannelInfo info =
          ChannelResolution.describe(
              resolution.target(channel), tables.getOrDefault(channel.group(), List.of()));
      if (info != null) {
        infos.add(info);
      }
    }
    return infos;
  }
}
