package org.kblake.query.internal.engine;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.names.NearestNames;
import org.kblake.core.internal.time.EpochNanos;
import org.kblake.core.model.Channel;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.ChannelInfo;
import org.kblake.query.answer.CoverageReport;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.answer.FoundChannels;
import org.kblake.query.answer.IncompleteAnswerException;
import org.kblake.query.answer.LatestTime;
import org.kblake.query.answer.RecordedTime;
import org.kblake.query.arrow.ValueShape;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.follow.FollowSession;
import org.kblake.query.internal.follow.FollowedChannels;
import org.kblake.query.internal.grid.GridBudget;
import org.kblake.query.internal.grid.GroupGrid;
import org.kblake.query.internal.held.HeldSearch;
import org.kblake.query.internal.plan.ChannelResolution;
import org.kblake.query.internal.plan.ChannelTarget;
import org.kblake.query.internal.plan.GroupPlan;
import org.kblake.query.internal.plan.GroupRead;
import org.kblake.query.internal.plan.LatestEvent;
import org.kblake.query.internal.plan.Planner;
import org.kblake.query.internal.plan.ReadRange;
import org.kblake.query.internal.source.ChunkReaders;
import org.kblake.query.internal.source.EventRuns;
import org.kblake.query.internal.source.GroupSource;
import org.kblake.query.internal.source.LastEvents;
import org.kblake.query.internal.source.ScanThreads;
import org.kblake.query.internal.source.SkippingSource;
import org.kblake.query.internal.trend.TrendSources;
import org.kblake.query.question.ChannelPattern;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.FollowQuery;
import org.kblake.query.question.GridQuery;
import org.kblake.query.question.HeldQuery;
import org.kblake.query.question.Source;
import org.kblake.query.question.TrendQuery;
import org.kblake.query.question.UnknownChannelException;
import org.kblake.query.question.UnknownGroupException;

/**
 * Plans questions: finds their channels in their groups, and the source of each part of the answer.
 */
public final class QueryEngine {

  private final PairCatalog catalog;
  private final ChunkReaders readers = new ChunkReaders();
  private final Planner planner;
  private final ParallelTasks parallel;
  private final ScanThreads threads;

  public QueryEngine(
      PairCatalog catalog, Planner planner, ParallelTasks parallel, ScanThreads threads) {
    this.threads = threads;
    this.catalog = catalog;
    this.planner = planner;
    this.parallel = parallel;
  }

  public List<Group> groups() throws IOException {
    return catalog.groups();
  }

  /** Returns the channels of a question, from the record tables of its period. */
  public FoundChannels channels(EventQuery query) throws IOException {
    List<GroupPlan> plans = plan(query);
    List<CoverageSpan> unread = new ArrayList<>();
    plans.forEach(plan -> unread.addAll(plan.unreadTables()));
    return new FoundChannels(infos(resolve(query.channels(), plans), plans), unread);
  }

  /** Returns the channels that are in a record table of their group's plan. */
  private static List<ChannelInfo> infos(ChannelResolution resolution, List<GroupPlan> plans) {
    List<ChannelInfo> infos = new ArrayList<>();
    for (Channel channel : resolution.channels()) {
      ChannelInfo info =
          ChannelResolution.describe(channel, planOf(channel.group(), plans).tables());
      if (info != null) {
        infos.add(info);
      }
    }
    return infos;
  }

  public EventAnswer events(EventQuery query) throws IOException {
    return query.lastEvents() > 0 ? lastEvents(query) : allEvents(query);
  }

  private List<GroupPlan> plan(EventQuery query) throws IOException {
    if (!query.isOfNewestPair()) {
      HeldQuery before = query.heldBefore();
      TimeRange range = query.range();
      TimeRange listed = before == null ? range : spanning(range, HeldSearch.rangeOf(before));
      return plan(query.channels(), range, listed, query.source());
    }
    long now = EpochNanos.of(Instant.now());
    return parallel.map(
        groupsOf(query.channels()),
        group -> planner.planNewest(group, query.range(), query.source(), now));
  }

  /**
   * Returns the threads that read ahead; null with a mirror, because with several reads at a time a
   * slow volume may exceed the time limits.
   */
  private @Nullable ScanThreads readAhead() {
    return catalog.hasTimeLimits() ? null : threads;
  }

  private EventAnswer allEvents(EventQuery query) throws IOException {
    List<GroupPlan> plans = plan(query);
    ChannelResolution resolution = resolve(query.channels(), plans);
    List<GroupRead> answers = new ArrayList<>();
    List<EventRuns> sources = new ArrayList<>();
    TreeSet<ValueShape> shapes = new TreeSet<>();
    HeldQuery before = query.heldBefore();
    HeldCollection values = before == null ? null : collect(before);
    for (Group group : resolution.groups()) {
      GroupPlan plan = planOf(group, plans);
      List<ChannelTarget> targets = resolution.targets(group);
      ChannelResolution.addShapes(plan.tables(), targets, shapes);
      if (values != null) {
        values.add(plan, targets);
      }
      GroupRead groupRead =
          new GroupRead(
              GroupRead.ranges(plan, targets),
              plan.resolver(),
              plan.report(),
              targets.size(),
              answers.size(),
              query.range(),
              query.hasStrays());
      answers.add(groupRead);
      sources.add(new GroupSource(groupRead, planner, readers, readAhead()));
    }
    List<CoverageReport> reports = new ArrayList<>(unread(query.channels(), plans));
    if (values != null) {
      reports.add(values.coverage());
    }
    EventAnswer answer = EventAnswer.of(query, resolution, shapes, sources, answers, reports);
    return values == null ? answer : answer.after(values.byTime(resolution.channels()));
  }

  /** Returns notes on groups whose channels are unknown, and may match a pattern. */
  private static List<CoverageReport> unread(ChannelSelection selection, List<GroupPlan> plans) {
    if (isNames(selection)) {
      return List.of();
    }
    return plans.stream().filter(GroupPlan::isUnread).map(plan -> plan.report().report()).toList();
  }

  private static boolean isNames(ChannelSelection selection) {
    return selection.patterns().stream().allMatch(ChannelPattern::isName);
  }

  /** Begins to follow channels. Plans their history, and reads nothing yet. */
  public FollowSession follow(FollowQuery query) throws IOException {
    TimeRange range = new TimeRange(query.fromNanos(), Long.MAX_VALUE);
    // A group may begin to record the channels later.
    List<GroupPlan> plans = planAll(groupsOf(query.channels()), range, range, query.source());
    ChannelResolution resolution = resolve(query.channels(), plans);
    FollowedChannels channels =
        new FollowedChannels(query.channels().patterns(), resolution.channels());
    FollowSession following = new FollowSession(query, catalog, planner, readers, channels);
    for (GroupPlan plan : plans) {
      following.add(plan);
    }
    return following;
  }

  private EventAnswer lastEvents(EventQuery query) throws IOException {
    List<GroupPlan> plans =
        plan(query.channels(), rangeOfChannels(query), query.range(), query.source());
    ChannelResolution resolution;
    try {
      resolution = resolve(query.channels(), plans);
    } catch (UnknownChannelException e) {
      plans = plan(query.channels(), query.range(), query.range(), query.source());
      resolution = resolve(query.channels(), plans);
    }
    List<GroupRead> answers = new ArrayList<>();
    List<EventRuns> sources = new ArrayList<>();
    TreeSet<ValueShape> shapes = new TreeSet<>();
    for (Group group : resolution.groups()) {
      List<ChannelTarget> targets = resolution.targets(group);
      LastEvents last =
          LastEvents.find(
              planner,
              planOf(group, plans).groupPairs(),
              targets,
              query,
              resolution.names().size());
      Planner.GroupContext context = last.context();
      context.report().onlyFrom(last.fromNanos());
      context.report().pendingFrom(EpochNanos.of(Instant.now()), null);
      ChannelResolution.addShapes(
          last.ranges().stream().map(GroupRead.PlannedRange::records).toList(), targets, shapes);
      ChannelResolution.addShapes(planOf(group, plans).tables(), targets, shapes);
      GroupRead groupRead =
          new GroupRead(
              last.ranges(),
              context.resolver(),
              context.report(),
              targets.size(),
              answers.size(),
              query.range(),
              query.hasStrays());
      answers.add(groupRead);
      sources.add(
          new SkippingSource(
              new GroupSource(groupRead, planner, readers, readAhead()),
              Arrays.copyOf(last.skips(), last.skips().length)));
    }
    return EventAnswer.of(
        query, resolution, shapes, sources, answers, unread(query.channels(), plans));
  }

  /**
   * Returns the range in which the channels of a question about last events must be recorded. This
   * is its range, or only its end if it has no begin, because otherwise every pair of the archive
   * would be opened. Names in one group need only the end, because they select the same channels in
   * all pairs.
   */
  private static TimeRange rangeOfChannels(EventQuery query) {
    TimeRange range = query.range();
    ChannelSelection channels = query.channels();
    boolean named = channels.groups().size() == 1 && isNames(channels);
    if (!named && range.fromNanos() > Long.MIN_VALUE) {
      return range;
    }
    long last = EpochNanos.minus(range.toNanos(), 1);
    return new TimeRange(Math.max(range.fromNanos(), last), range.toNanos());
  }

  public HeldResult held(HeldQuery query) throws IOException {
    TimeRange instant = new TimeRange(query.atNanos(), EpochNanos.plus(query.atNanos(), 1));
    TimeRange searched = HeldSearch.rangeOf(query);
    List<GroupPlan> plans = plan(query.channels(), instant, searched, query.source());
    ChannelResolution resolution = resolve(query.channels(), plans);
    HeldCollection values = collect(query);
    for (Group group : resolution.groups()) {
      values.add(planOf(group, plans), resolution.targets(group));
    }
    List<CoverageSpan> missing = values.missing();
    unread(query.channels(), plans).forEach(report -> missing.addAll(report.missing()));
    if (missing.isEmpty()) {
      // A pair may have been unreadable only when the channels were looked up.
      for (GroupPlan plan : plans) {
        if (!isNames(query.channels()) || resolution.groups().contains(plan.groupPairs().group())) {
          missing.addAll(plan.unreadTables());
        }
      }
    }
    CoverageReport coverage = values.coverage();
    if (!coverage.isComplete() && !query.allowIncomplete()) {
      throw new IncompleteAnswerException(coverage);
    }
    return new HeldResult(query, resolution, values.of(resolution.channels()), coverage);
  }

  private HeldCollection collect(HeldQuery query) {
    return new HeldCollection(planner, catalog.settings().disorderBoundNanos(), query);
  }

  /** Returns the range from the begin of the earlier range to the end of the later one. */
  private static TimeRange spanning(TimeRange range, TimeRange other) {
    return new TimeRange(
        Math.min(range.fromNanos(), other.fromNanos()), Math.max(range.toNanos(), other.toNanos()));
  }

  public GridAnswer grid(GridQuery query) throws IOException {
    TimeRange range = query.range();
    TimeRange listed = spanning(range, HeldSearch.rangeOf(query.atStart()));
    List<GroupPlan> plans = plan(query.channels(), range, listed, query.source());
    ChannelResolution resolution = resolve(query.channels(), plans);
    List<ChannelInfo> infos = infos(resolution, plans);
    GridBudget budget = new GridBudget(infos);
    List<GroupGrid> grids = new ArrayList<>();
    List<ReadRange> ranges = new ArrayList<>();
    for (Group group : resolution.groups()) {
      ranges.addAll(planOf(group, plans).ranges());
      grids.add(
          new GroupGrid(
              planner,
              catalog.settings().disorderBoundNanos(),
              query,
              planOf(group, plans),
              resolution.targets(group),
              resolution.names(),
              budget));
    }
    return new GridAnswer(query, resolution, infos, grids, ranges, unread(query.channels(), plans));
  }

  public TrendAnswer trend(TrendQuery query) throws IOException {
    TimeRange range = query.range();
    TimeRange listed =
        query.hasHeldValues()
            ? new TimeRange(
                EpochNanos.minus(range.fromNanos(), query.lookBackNanos()), range.toNanos())
            : range;
    List<GroupPlan> plans = plan(query.channels(), range, listed, query.source());
    ChannelResolution resolution = resolve(query.channels(), plans);
    List<GroupPlan> ofGroups = new ArrayList<>();
    resolution.groups().forEach(group -> ofGroups.add(planOf(group, plans)));
    return TrendAnswer.of(
        query,
        resolution,
        ofGroups,
        unread(query.channels(), plans),
        new TrendSources(
            planner, readers, readAhead(), catalog.settings().disorderBoundNanos(), query, listed));
  }

  public LatestTime latestEvent(Group group) throws IOException {
    return planner.answer(
        group, TimeRange.ALL, Source.AUTO, context -> new LatestEvent(context).find());
  }

  public RecordedTime recorded(Channel channel) throws IOException {
    return planner.answer(
        channel.group(),
        TimeRange.ALL,
        Source.AUTO,
        context -> new LatestEvent(context).recorded(channel.name()));
  }

  /**
   * Plans all groups of a selection, or only those that have the names, if it has nothing but
   * names.
   *
   * @param range the range of the plans
   * @param listed the range for which pairs are listed; it includes {@code range}
   */
  private List<GroupPlan> plan(
      ChannelSelection selection, TimeRange range, TimeRange listed, Source source)
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

  private List<GroupPlan> planAll(
      List<Group> groups, TimeRange range, TimeRange listed, Source source) throws IOException {
    long now = EpochNanos.of(Instant.now());
    return parallel.map(groups, group -> planner.plan(group, range, listed, source, now));
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
      for (String name : names) {
        if (plan.has(name)) {
          missing.remove(name);
        }
      }
    }
    return missing.isEmpty();
  }

  private static GroupPlan planOf(Group group, List<GroupPlan> plans) {
    for (GroupPlan plan : plans) {
      if (plan.groupPairs().group().equals(group)) {
        return plan;
      }
    }
    throw new IllegalStateException("no plan: group=" + group);
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

  private static ChannelResolution resolve(ChannelSelection selection, List<GroupPlan> plans)
      throws UnknownChannelException {
    List<ChannelResolution.Tables> tables = new ArrayList<>();
    for (GroupPlan plan : plans) {
      tables.add(
          new ChannelResolution.Tables(
              plan.groupPairs().group(), plan.tables(), plan.unreadTable()));
    }
    return ChannelResolution.of(selection.patterns(), tables);
  }
}
