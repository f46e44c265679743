package org.kblake.query.internal.engine;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
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
   * Plans all groups of a selection, or only those that have the names, if it means nothing but
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
    Set<String> names = possibleNames(selection);
    if (names.isEmpty()) {
      return planAll(groups, range, listed, source);
    }
    List<Optional<GroupPlan>> plans =
        parallel.map(groups, group -> planner.planNames(group, names, range, listed, source, now));
    List<GroupPlan> ofNames = plans.stream().flatMap(Optional::stream).toList();
    return meansNamesOf(ofNames, names, selection)
        ? ofNames
        : parallel.map(
            IntStream.range(0, groups.size()).boxed().toList(),
            i ->
                plans.get(i).isPresent()
                    ? plans.get(i).get()
                    : planner.plan(groups.get(i), range, listed, source, now));
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
      throws UnknownChannelException, InterruptedIOException {
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
  static List<CoverageReport> unread(ChannelResolution resolution, List<GroupPlan> plans) {
    if (resolution.isOfNames()) {
      return List.of();
    }
    return plans.stream().filter(GroupPlan::isUnread).map(plan -> plan.report().report()).toList();
  }

  static boolean isNames(ChannelSelection selection) {
    return selection.patterns().stream().allMatch(ChannelPattern::isName);
  }

  /**
   * Returns the names that a selection may mean; none if it is likely to mean a pattern. Names of
   * EPICS have brackets and braces, but no asterisks, question marks and commas.
   */
  private static Set<String> possibleNames(ChannelSelection selection) {
    Set<String> names = new HashSet<>();
    for (ChannelPattern pattern : selection.patterns()) {
      boolean mayBeName =
          switch (pattern.kind()) {
            case NAME -> true;
            case GLOB -> hasNone("*?,", pattern.text());
            case LIST -> hasNone("*?", pattern.text());
            case KNOWN_NAME, REGEX -> false;
          };
      if (!mayBeName || pattern.ignoringCase()) {
        return Set.of();
      }
      names.addAll(pattern.possibleNames());
    }
    return names;
  }

  private static boolean hasNone(String characters, String text) {
    return text.chars().noneMatch(c -> characters.indexOf(c) >= 0);
  }

  /** Returns whether a selection means nothing but names, and plans have all of them. */
  private static boolean meansNamesOf(
      List<GroupPlan> plans, Set<String> names, ChannelSelection selection) {
    Set<String> missing = new HashSet<>(names);
    plans.forEach(plan -> plan.removeKnown(missing));
    return selection.patterns().stream()
        .flatMap(pattern -> pattern.meant(name -> !missing.contains(name)).stream())
        .allMatch(pattern -> pattern.isName() && !missing.contains(pattern.text()));
  }
}
