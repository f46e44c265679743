package org.kblake.query.internal.engine;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.kblake.core.internal.names.NearestNames;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.internal.catalog.GroupTables;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Source;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;

/** Plans the groups of a selection of channels, and resolves the channels in the plans. */
final class SelectionPlans {

  private final PairCatalog catalog;
  private final Planner planner;
  private final ParallelTasks parallel;

  SelectionPlans(PairCatalog catalog, Planner planner, ParallelTasks parallel) {
    this.catalog = catalog;
    this.planner = planner;
    this.parallel = parallel;
  }

  /**
   * Plans all groups of a selection, or only those that have the names, if it has nothing but
   * names.
   *
   * @param range the range of the plans
   * @param listed the range for which pairs are listed; it includes {@code range}
   */
  List<GroupPlan> plan(ChannelSelection selection, TimeRange range, TimeRange listed, Source source)
      throws IOException {
    long now = EpochNanos.of(Instant.now());
    List<Group> groups = groupsOf(selection);
    if (groups.size() == 1) {
      return List.of(planner.plan(groups.get(0), range, listed, source, now));
    }
    Set<String> names = namesOf(selection);
    if (!names.isEmpty()) {
      List<GroupPlan> plans = new ArrayList<>();
      for (Optional<GroupPlan> plan :
          parallel.map(
              groups, group -> planner.planNames(group, names, range, listed, source, now))) {
        if (plan.isPresent()) {
          plans.add(plan.get());
        }
      }
      if (haveAll(plans, names)) {
        return plans;
      }
    }
    return planAll(groups, range, listed, source);
  }

  List<GroupPlan> planAll(List<Group> groups, TimeRange range, TimeRange listed, Source source)
      throws IOException {
    long now = EpochNanos.of(Instant.now());
    return parallel.map(groups, group -> planner.plan(group, range, listed, source, now));
  }

  static GroupPlan planOf(Group group, List<GroupPlan> plans) {
    for (GroupPlan plan : plans) {
      if (plan.groupPairs().group().equals(group)) {
        return plan;
      }
    }
    throw new IllegalStateException("no plan: group=" + group);
  }

  /** Returns the record tables of each group. */
  static Map<Group, List<RecordTable>> tables(List<GroupPlan> plans) {
    Map<Group, List<RecordTable>> tables = new HashMap<>();
    plans.forEach(plan -> tables.put(plan.groupPairs().group(), plan.tables()));
    return tables;
  }

  List<Group> groupsOf(ChannelSelection selection) throws IOException {
    if (selection.groups().isEmpty()) {
      return catalog.groupsAndUnlisted();
    }
    for (Group group : selection.groups()) {
      if (!catalog.has(group)) {
        List<Group> known = catalog.groups();
        throw new UnknownGroupException(
            group,
            NearestNames.orLeastDifferent(
                group.toString(), known.stream().map(Group::toString).toList()));
      }
    }
    return selection.groups().size() == 1
        ? selection.groups()
        : selection.groups().stream().distinct().toList();
  }

  static ChannelResolution resolve(ChannelSelection selection, List<GroupPlan> plans)
      throws UnknownChannelException {
    List<GroupTables> tables = new ArrayList<>();
    for (GroupPlan plan : plans) {
      tables.add(
          new GroupTables(
              plan.groupPairs().group(),
              plan.tables(),
              plan.tableEndNanos(),
              plan.groupPairs().aliases(),
              plan.unreadTable()));
    }
    return ChannelResolution.of(selection.patterns(), tables);
  }

  /** Returns notes on groups whose channels are unknown, and may match a pattern. */
  static List<CoverageReport> unread(ChannelSelection selection, List<GroupPlan> plans) {
    if (isNames(selection)) {
      return List.of();
    }
    return plans.stream().filter(GroupPlan::isUnread).map(plan -> plan.report().report()).toList();
  }

  static boolean isNames(ChannelSelection selection) {
    return selection.patterns().stream().allMatch(ChannelPattern::isName);
  }

  /** Returns the names of a selection; none if it has anything but names. */
  private static Set<String> namesOf(ChannelSelection selection) {
    Set<String> names = new HashSet<>();
    for (ChannelPattern pattern : selection.patterns()) {
      if (pattern.kind() != ChannelPattern.Kind.NAME || !pattern.isName()) {
        return Set.of();
      }
      names.add(pattern.text());
    }
    return names;
  }

  private static boolean haveAll(List<GroupPlan> plans, Set<String> names) {
    Set<String> missing = new HashSet<>(names);
    for (GroupPlan plan : plans) {
      plan.removeKnown(missing);
    }
    return missing.isEmpty();
  }
}
