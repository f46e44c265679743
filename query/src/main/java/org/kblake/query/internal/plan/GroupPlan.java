package org.kblake.query.internal.plan;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.metadata.Aliases;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.coverage.CoverageBuilder;
import org.kblake.query.internal.pair.PairContent;
import org.kblake.query.internal.pair.PairResolver;
import org.kblake.query.question.Source;

/**
 * The plan of one group: the ranges of its log that are read, and their sources. A group that is
 * only opened for a range has no pairs yet.
 *
 * @param groupPairs the group's pairs
 * @param resolver finds the ranges of a pair and their sources, and excludes wrong blocks
 * @param pairs the pairs that may have events of the range, in log order
 * @param report the report, which has the times that cannot be answered
 * @param nearest the record table nearest to the range if no pair has one; null if there is none
 */
public record GroupPlan(
    GroupPairs groupPairs,
    PairResolver resolver,
    List<PlannedPair> pairs,
    CoverageBuilder report,
    @Nullable RecordTable nearest) {

  public GroupPlan {
    pairs = List.copyOf(pairs);
  }

  /**
   * A pair that may have events of the range.
   *
   * @param content the pair
   * @param ranges the ranges of its log that are read, with their sources, in log order; empty if
   *     nothing can be read
   */
  public record PlannedPair(PairContent content, List<ReadRange> ranges) {
    public PlannedPair {
      ranges = List.copyOf(ranges);
    }
  }

  /** Returns the group. */
  public Group group() {
    return groupPairs.group();
  }

  /** Returns the range for which the group was opened. */
  public TimeRange range() {
    return resolver.range();
  }

  /** Returns the source of the answer. */
  public Source source() {
    return resolver.source();
  }

  /** Returns the same group with other pairs. */
  public GroupPlan with(List<PlannedPair> others) {
    return new GroupPlan(groupPairs, resolver, others, report, nearest);
  }

  /** Returns the same plan with another report. */
  public GroupPlan reportTo(CoverageBuilder other) {
    return new GroupPlan(groupPairs, resolver, pairs, other, nearest);
  }

  /** Reports the time of a pair's first write. A log without a milestone has none. */
  public void reportBegin(PairContent content) throws IOException {
    PairLog log = content.log();
    if (log == null || log.milestones().count() > 0 || content.isStored(0)) {
      report.begins(content.slot(), Planner.firstNanos(content));
    }
  }

  /**
   * Returns the record tables of the period in log order. If the period has none, returns the
   * nearest one.
   */
  public List<RecordTable> tables() {
    List<RecordTable> tables = new ArrayList<>();
    for (PlannedPair pair : pairs) {
      RecordTable records = pair.content().records();
      if (records != null) {
        tables.add(records);
      }
    }
    if (tables.isEmpty() && nearest != null) {
      tables.add(nearest);
    }
    return tables;
  }

  /** Returns the ends of the pairs of {@link #tables}, nanoseconds since 1970 UTC. */
  public List<Long> tableEndNanos() {
    List<Long> ends = new ArrayList<>();
    for (PlannedPair pair : pairs) {
      if (pair.content().records() != null) {
        ends.add(pair.content().slot().endNanos());
      }
    }
    if (ends.isEmpty() && nearest != null) {
      ends.add(Long.MAX_VALUE);
    }
    return ends;
  }

  /** Removes the names that one of {@link #tables} has, or has a former name of their channel. */
  public void removeKnown(Set<String> names) {
    Aliases aliases = groupPairs.aliases();
    for (RecordTable table : tables()) {
      table.removeNamesFrom(names);
      if (!aliases.isEmpty()) {
        names.removeIf(name -> table.hasAny(aliases.withFormer(Set.of(name))));
      }
    }
  }

  /** Returns the ranges of all pairs. */
  public List<ReadRange> ranges() {
    List<ReadRange> ranges = new ArrayList<>();
    for (PlannedPair pair : pairs) {
      ranges.addAll(pair.ranges());
    }
    return ranges;
  }

  /**
   * Returns whether the group's channels are unknown, because no record table of it can be read.
   */
  public boolean isUnread() {
    return tables().isEmpty() && unreadTable() != null;
  }

  /**
   * Returns the times of pairs whose record table could not be read, within the range. If none of
   * these times is in the range, because such a pair ends shortly before it, returns the pairs' own
   * times. Returns an empty list if all tables were read.
   *
   * @throws InterruptedIOException if the thread is interrupted
   */
  public List<CoverageSpan> unreadTables() throws InterruptedIOException {
    if (unreadTable() == null) {
      return List.of();
    }
    List<CoverageSpan> ofRange = report.stoppableReport().missing();
    return ofRange.isEmpty() ? unreadPairs() : ofRange;
  }

  private List<CoverageSpan> unreadPairs() {
    List<CoverageSpan> spans = new ArrayList<>();
    for (PairRange.Missing pairRange : unreadRanges()) {
      spans.add(pairRange.span(group(), pairRange.times()));
    }
    return spans;
  }

  /**
   * Returns the missing ranges of pairs whose record table could not be read, at least one of each.
   */
  private List<PairRange.Missing> unreadRanges() {
    List<PairRange.Missing> pairRanges = new ArrayList<>();
    for (PlannedPair pair : pairs) {
      if (pair.content().records() == null) {
        pairRanges.addAll(pair.content().missing());
      }
    }
    return pairRanges;
  }

  /**
   * Returns why the record table of a pair that may have events of the range cannot be read; null
   * if all can.
   */
  public @Nullable String unreadTable() {
    List<PairRange.Missing> unread = unreadRanges();
    if (!unread.isEmpty()) {
      return unread.get(0).detail();
    }
    return groupPairs.unlisted() == null
        ? null
        : String.valueOf(groupPairs.unlisted().getMessage());
  }
}
