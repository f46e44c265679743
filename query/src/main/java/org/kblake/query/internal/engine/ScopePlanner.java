package org.kblake.query.internal.engine;

import java.io.IOException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.NearestNames;
import org.kblake.core.model.TimeRange;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Scope;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;

/** Plans the groups of a scope, and finds its channels in the plans. */
final class ScopePlanner {

  private final PairCatalog catalog;
  private final Planner planner;
  private final ParallelTasks parallel;

  ScopePlanner(PairCatalog catalog, Planner planner, ParallelTasks parallel) {
    this.catalog = catalog;
    this.planner = planner;
    this.parallel = parallel;
  }

  /** Returns what plans and reads several groups. */
  ParallelTasks parallel() {
    return parallel;
  }

  /**
   * Plans the range of a scope: all groups, or only those that have the names, if the selection
   * means nothing but names.
   *
   * @throws UnknownChannelException if a name or pattern matches no channel
   */
  ScopePlan plan(Scope scope) throws IOException {
    return plan(scope, scope.range());
  }

  private ScopePlan plan(Scope scope, TimeRange range) throws IOException {
    return ScopePlan.of(scope, planGroups(scope, range));
  }

  /**
   * Plans the range in which the channels of a question about last events must be recorded; all of
   * its range if some are not. This is its range, or only its end if it has no begin, because
   * otherwise every pair of the archive would be opened. Names in one group need only the end,
   * because they select the same channels in all pairs.
   */
  ScopePlan planEnd(Scope scope) throws IOException {
    TimeRange range = scope.range();
    ChannelSelection channels = scope.channels();
    boolean named = channels.groups().size() == 1 && isNames(channels);
    long last = Math.max(range.fromNanos(), EpochNanos.minus(range.toNanos(), 1));
    if (!named && range.fromNanos() > Long.MIN_VALUE) {
      return plan(scope);
    }
    try {
      return plan(scope, new TimeRange(last, range.toNanos()));
    } catch (UnknownChannelException e) {
      return plan(scope);
    }
  }

  /**
   * Plans all groups, which may have the channels later.
   *
   * @param range the times of the scope's range in which channels must be recorded; if some are
   *     not, all of its range
   */
  ScopePlan planAll(Scope scope, TimeRange range) throws IOException {
    List<Group> groups = groupsOf(scope.channels());
    try {
      return ScopePlan.of(scope, planAll(groups, scope, range));
    } catch (UnknownChannelException e) {
      if (range.equals(scope.range())) {
        throw e;
      }
      return ScopePlan.of(scope, planAll(groups, scope, scope.range()));
    }
  }

  /** Plans the newest pair of each group. */
  ScopePlan planNewest(Scope scope) throws IOException {
    long now = EpochNanos.of(Instant.now());
    return ScopePlan.of(
        scope,
        parallel.map(groupsOf(scope.channels()), group -> planner.planNewest(group, scope, now)));
  }

  private List<GroupPlan> planGroups(Scope scope, TimeRange range) throws IOException {
    long now = EpochNanos.of(Instant.now());
    ChannelSelection selection = scope.channels();
    List<Group> groups = groupsOf(selection);
    Set<String> names = groups.size() == 1 ? Set.of() : possibleNames(selection);
    if (names.isEmpty()) {
      return planAll(groups, scope, range);
    }
    List<Optional<GroupPlan>> plans =
        parallel.map(groups, group -> planner.planNames(group, names, scope, range, now));
    List<GroupPlan> ofNames = plans.stream().flatMap(Optional::stream).toList();
    return meansNamesOf(ofNames, names, selection)
        ? ofNames
        : parallel.map(
            IntStream.range(0, groups.size()).boxed().toList(),
            i ->
                plans.get(i).isPresent()
                    ? plans.get(i).get()
                    : planner.plan(groups.get(i), scope, range, now));
  }

  private List<GroupPlan> planAll(List<Group> groups, Scope scope, TimeRange range)
      throws IOException {
    long now = EpochNanos.of(Instant.now());
    return groups.size() == 1
        ? List.of(planner.plan(groups.get(0), scope, range, now))
        : parallel.map(groups, group -> planner.plan(group, scope, range, now));
  }

  private List<Group> groupsOf(ChannelSelection selection) throws IOException {
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

  private static boolean isNames(ChannelSelection selection) {
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
