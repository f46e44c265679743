package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.kblake.core.archive.Interruption;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.pair.Damage;
import org.kblake.core.internal.log.pair.Milestones;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.TimeSpan;
import org.kblake.core.internal.store.BlockList;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.EpochNanos;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.SpanKind;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.catalog.PairCatalog;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.PairSnapshotCache;
import org.kblake.query.internal.catalog.RecordTableCache;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.coverage.SegmentCoverage;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.internal.pair.PairResolver;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.Scope;
import org.kblake.query.question.Source;

/**
 * Makes plans: the segments that may have events of a range, and the source of each.
 *
 * <p>Pairs are selected by the times in their names first, so that a question about an hour does
 * not open the indexes of ten years. Clocks are set back, so a pair is opened if its period meets
 * the range widened by a day and the disorder bound. Then the spans of segments decide. They are
 * the same in a block and in the raw log.
 */
public final class Planner {

  private static final long SLACK_NANOS = TimeUnit.DAYS.toNanos(1);

  private final PairCatalog catalog;
  private final PairSnapshotCache logs;
  private final RecordTableCache recordTables;
  private final RecordTablePeriod periods;

  public Planner(PairCatalog catalog, PairSnapshotCache logs) {
    this.catalog = catalog;
    this.logs = logs;
    recordTables = new RecordTableCache(catalog.settings().layouts());
    periods = new RecordTablePeriod(catalog.settings().disorderBoundNanos());
  }

  /**
   * Returns the group's pairs as they are now.
   *
   * @param range the range for which blocks are listed; it includes the range that will be planned
   */
  public GroupPairs list(Group group, TimeRange range, Source source) throws IOException {
    return catalog.of(group, source, widened(range));
  }

  /** Returns an empty report on a range. */
  public CoverageBuilder report(Group group, TimeRange range) {
    return new CoverageBuilder(group, range, disorderBoundNanos());
  }

  /** Returns the most time by which events of a log are out of order. */
  public long disorderBoundNanos() {
    return catalog.settings().disorderBoundNanos();
  }

  GroupPlan open(GroupPairs groupPairs, TimeRange range, Source source) {
    CoverageBuilder report = report(groupPairs.group(), range);
    groupPairs.problems().forEach(report);
    PairRange.Missing before = groupPairs.before();
    if (before != null) {
      // Times between known pairs, and after them, are reported with the pairs.
      report.missing(before);
    }
    PairResolver resolver = new PairResolver(logs, recordTables, source, groupPairs, report);
    return new GroupPlan(groupPairs, resolver, List.of(), report, null);
  }

  /** Answers a part of a question from one listing of the group. */
  @FunctionalInterface
  public interface Attempt<T> {
    T answer(GroupPlan opened) throws IOException;
  }

  /**
   * Answers a part of a question. If a block was merged or evicted after it was listed, and no log
   * stands for it, the group is listed again, and the attempt is repeated.
   *
   * @param first the first listing
   */
  public <T> T answer(GroupPairs first, Scope scope, Attempt<T> attempt) throws IOException {
    return answer(first, scope, scope.range(), attempt);
  }

  private <T> T answer(GroupPairs first, Scope scope, TimeRange range, Attempt<T> attempt)
      throws IOException {
    GroupPlan opened = open(first, range, scope.source());
    T answer = attempt.answer(opened);
    for (int i = 1; i < BlockList.MAX_LISTINGS && opened.resolver().hasLostBlock(); i++) {
      opened = open(list(first.group(), scope.searched(), scope.source()), range, scope.source());
      answer = attempt.answer(opened);
    }
    return answer;
  }

  /** Does the same for a group at all times. */
  public <T> T answer(Group group, Source source, Attempt<T> attempt) throws IOException {
    Scope scope = Scope.of(ChannelSelection.all(group)).from(source).lookBackNanos(0);
    return answer(list(group, TimeRange.ALL, source), scope, attempt);
  }

  /**
   * Plans a range.
   *
   * @param scope its range and look-back include the range of the plan
   */
  public GroupPlan plan(Group group, Scope scope, TimeRange range, long nowNanos)
      throws IOException {
    return answer(
        list(group, scope.searched(), scope.source()),
        scope,
        range,
        opened -> plan(opened, nowNanos));
  }

  /**
   * Plans a range as {@link #plan(Group, Scope, TimeRange, long)} does, if the group may have
   * channels of some names.
   *
   * @return nothing if no record table of the range's pairs has any of the names
   */
  public Optional<GroupPlan> planNames(
      Group group, Set<String> names, Scope scope, TimeRange range, long nowNanos)
      throws IOException {
    GroupPairs groupPairs = list(group, scope.searched(), scope.source());
    NamesOfPairs namesOfPairs = new NamesOfPairs(logs, recordTables, scope.source());
    if (groupPairs.unlisted() == null
        && namesOfPairs.excludeAll(
            meeting(groupPairs.pairs(), range), groupPairs.aliases().withFormer(names))) {
      return Optional.empty();
    }
    return Optional.of(answer(groupPairs, scope, range, opened -> plan(opened, nowNanos)));
  }

  GroupPlan plan(GroupPlan opened, long nowNanos) throws IOException {
    TimeRange range = opened.range();
    CoverageBuilder report = opened.report();
    report.pendingFrom(nowNanos, null);
    List<PairSlot> pairs = opened.groupPairs().pairs();
    List<PairSlot> meeting = meeting(pairs, range);
    List<GroupPlan.PlannedPair> planned = new ArrayList<>();
    boolean tables = false;
    long begin = Long.MAX_VALUE;
    SegmentReadAhead ahead = SegmentReadAhead.of(meeting);
    try {
      for (PairSlot slot : meeting) {
        Interruption.check();
        PairContent content = opened.resolver().of(slot);
        if (slot.number() == 0 || begin != Long.MAX_VALUE) {
          // In an hour that the zone repeats, the first pair in log order may not be the earliest.
          begin = Math.min(begin, firstNanos(content));
          report.recordedFrom(begin);
        }
        opened.reportBegin(content);
        PairLog log = content.log();
        if (log != null && log.growing()) {
          reportPending(content, log, report);
        }
        List<ReadRange> ranges = PairRanges.of(content, range);
        boolean missing = noteMissing(content, range, report);
        if (!ranges.isEmpty() || missing || periods.meets(content, range)) {
          noteIndexDamage(content, report);
          planned.add(new GroupPlan.PlannedPair(content, ranges));
          tables |= content.records() != null;
        }
      }
    } finally {
      ahead.end();
    }
    if (pairs.isEmpty() || !mayMeet(pairs.get(0), range) && isBefore(range, pairs)) {
      report.recordedFrom(Long.MAX_VALUE);
    }
    RecordTable nearest = tables ? null : nearestTable(opened, range).orElse(null);
    return new GroupPlan(opened.groupPairs(), opened.resolver(), planned, report, nearest);
  }

  /** Reports the end of a growing log that has no event, or less than columns have. */
  private static void reportPending(PairContent content, PairLog log, CoverageBuilder report)
      throws IOException {
    PairSlot slot = content.slot();
    int last = content.pairRanges().size() - 1;
    if (last > 0
        && content.pairRanges().get(last) instanceof PairRange.Raw raw
        && log.endsInHeader(raw.fromOffset())) {
      last--; // no segment begins there
    }
    if (content.isStored(last)) {
      PairRange.Stored stored = (PairRange.Stored) content.pairRanges().get(last);
      StoredSegment segment = stored.block().segment(stored.toSegment() - 1);
      report.pendingFrom(Math.max(segment.milestoneNanos(), segment.lastNanos()), slot.logPath());
    } else if (log.milestones().count() == 0) {
      report.pendingFrom(slot.beginNanos(), slot.logPath());
    }
  }

  private List<PairSlot> meeting(List<PairSlot> pairs, TimeRange range) {
    List<PairSlot> meeting = new ArrayList<>();
    for (PairSlot slot : pairs) {
      if (mayMeet(slot, range)) {
        meeting.add(slot);
      }
    }
    return meeting;
  }

  /** Plans only the newest pair whose record table can be read, as {@link #plan} does. */
  public GroupPlan planNewest(Group group, Scope scope, long nowNanos) throws IOException {
    return answer(
        list(group, scope.range(), scope.source()), scope, opened -> newest(opened, nowNanos));
  }

  private static GroupPlan newest(GroupPlan opened, long nowNanos) throws IOException {
    TimeRange range = opened.range();
    CoverageBuilder report = opened.report();
    report.pendingFrom(nowNanos, null);
    List<PairSlot> pairs = opened.groupPairs().pairs();
    List<GroupPlan.PlannedPair> planned = new ArrayList<>();
    for (int i = pairs.size() - 1; i >= 0 && planned.isEmpty(); i--) {
      Interruption.check();
      PairContent content = opened.resolver().of(pairs.get(i));
      if (content.records() != null) {
        noteMissing(content, range, report);
        noteIndexDamage(content, report);
        planned.add(new GroupPlan.PlannedPair(content, PairRanges.of(content, range)));
      } else {
        notePassedOver(content, range, report);
      }
    }
    return opened.with(planned);
  }

  private static void notePassedOver(PairContent content, TimeRange range, CoverageBuilder report) {
    for (PairRange.Missing missing : content.missing()) {
      if (missing.kind() == SpanKind.PENDING) {
        report.note(
            "newest pair is not readable yet, the pair before it is read: " + missing.detail());
        return;
      }
    }
    noteMissing(content, range, report);
  }

  /** Returns the times that the events of a range may have. */
  public TimeRange timesOf(ReadRange readRange) throws IOException {
    if (readRange instanceof StoredRange stored) {
      long first = Long.MAX_VALUE;
      long last = Long.MIN_VALUE;
      for (StoredSegment segment :
          stored.block().segments(stored.fromSegment(), stored.toSegment())) {
        first = Math.min(first, segment.spanFromNanos());
        last = Math.max(last, segment.spanToNanos());
      }
      return SegmentCoverage.span(first, last);
    }
    return timesOf((RawRange) readRange);
  }

  /** Returns the times that the events of a raw range may have. */
  public TimeRange timesOf(RawRange readRange) {
    TimeSpan times = milestoneTimes(readRange);
    PairLog log = readRange.log();
    if (readRange.toOffset() >= log.logBytes()) {
      // A cut log has lost a milestone, which may be earlier if the clock was set back.
      Milestones all = log.milestones();
      TimeSpan last = log.lastSpan(TimeSpan.at(all.nanos(all.count() - 1)));
      times = times.and(last.fromNanos()).and(readRange.pair().endNanos());
    }
    TimeSpan widened = times.widened(disorderBoundNanos());
    return new TimeRange(widened.fromNanos(), widened.toNanos());
  }

  /** Returns the times of the milestones in a raw range, and of the one that ends it. */
  private static TimeSpan milestoneTimes(RawRange readRange) {
    Milestones milestones = readRange.log().milestones();
    int first = Math.max(0, milestones.lastUpTo(readRange.fromOffset()));
    TimeSpan times = TimeSpan.at(milestones.nanos(first));
    for (int i = first + 1;
        i < milestones.count() && milestones.offset(i) <= readRange.toOffset();
        i++) {
      times = times.and(milestones.nanos(i));
    }
    return times;
  }

  /** Returns the time of the milestone that a range begins with. */
  public long firstMilestoneNanos(ReadRange readRange) throws IOException {
    if (readRange instanceof StoredRange stored) {
      return stored.block().segment(stored.fromSegment()).milestoneNanos();
    }
    return milestoneTimes((RawRange) readRange).fromNanos();
  }

  /** Returns whether a pair has to be opened for a range. */
  public boolean mayMeet(PairSlot slot, TimeRange range) {
    return slot.mayMeet(range, slackNanos());
  }

  private long slackNanos() {
    return EpochNanos.plus(SLACK_NANOS, disorderBoundNanos());
  }

  private TimeRange widened(TimeRange range) {
    return new TimeRange(
        EpochNanos.minus(range.fromNanos(), slackNanos()),
        EpochNanos.plus(range.toNanos(), slackNanos()));
  }

  private static boolean isBefore(TimeRange range, List<PairSlot> pairs) {
    return range.toNanos() <= pairs.get(0).beginNanos();
  }

  /** Returns the time of the first milestone, or the stamp if it is unknown. */
  static long firstNanos(PairContent content) throws IOException {
    PairLog log = content.log();
    if (log != null && log.milestones().count() > 0) {
      return log.milestones().nanos(0);
    }
    if (!content.pairRanges().isEmpty()
        && content.pairRanges().get(0) instanceof PairRange.Stored stored) {
      try {
        return stored.block().segment(stored.fromSegment()).milestoneNanos();
      } catch (CorruptBlockException e) {
        // The reader of the block reports the error.
        return content.slot().beginNanos();
      }
    }
    return content.slot().beginNanos();
  }

  private static void noteIndexDamage(PairContent content, CoverageBuilder report) {
    PairLog log = content.log();
    if (log != null) {
      for (Damage damage : log.indexDamage()) {
        report.note(damage.toString());
      }
    }
  }

  private static boolean noteMissing(PairContent content, TimeRange range, CoverageBuilder report) {
    boolean any = false;
    for (PairRange.Missing missing : content.missing()) {
      if (range.meets(missing.times().fromNanos(), missing.times().toNanos())) {
        report.missing(missing);
        any = true;
      }
    }
    return any;
  }

  private Optional<RecordTable> nearestTable(GroupPlan ofRange, TimeRange range)
      throws IOException {
    return answer(ofRange.group(), ofRange.source(), opened -> nearestOf(opened, range));
  }

  private static Optional<RecordTable> nearestOf(GroupPlan opened, TimeRange range)
      throws IOException {
    List<PairSlot> pairs = new ArrayList<>(opened.groupPairs().pairs());
    pairs.sort(Comparator.comparingLong(slot -> distance(slot, range)));
    // Only a few pairs are tried: if a whole volume is offline, not every pair is opened.
    for (PairSlot slot : pairs.subList(0, Math.min(8, pairs.size()))) {
      RecordTable records = opened.resolver().of(slot).records();
      if (records != null) {
        return Optional.of(records);
      }
    }
    return Optional.empty();
  }

  private static long distance(PairSlot slot, TimeRange range) {
    long before = EpochNanos.minus(slot.beginNanos(), range.toNanos());
    long after = EpochNanos.minus(range.fromNanos(), slot.endNanos());
    return Math.max(0, Math.max(before, after));
  }
}
