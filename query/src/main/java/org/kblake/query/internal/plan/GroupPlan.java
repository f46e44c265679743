package org.kblake.query.internal.plan;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.layout.RecordTable;
import org.kblake.query.answer.CoverageSpan;
import org.kblake.query.internal.catalog.GroupPairs;
import org.kblake.query.internal.catalog.PairSection;
import org.kblake.query.internal.coverage.CoverageBuilder;

/**
 * Where the answer of one group comes from.
 *
 * @param groupPairs the group's pairs
 * @param resolver finds out where pairs can be read, and which blocks are not to be used
 * @param parts the pairs that may hold the range, in log order
 * @param report what is known already of times that cannot be answered
 * @param nearest the record table nearest to the range, where no part has one; null if there is
 *     none
 */
public record GroupPlan(
    GroupPairs groupPairs,
    PairResolver resolver,
    List<Part> parts,
    CoverageBuilder report,
    @Nullable RecordTable nearest) {

  public GroupPlan {
    parts = List.copyOf(parts);
  }

  /**
   * A pair that may hold the range.
   *
   * @param content the pair
   * @param ranges what of it is read and where, in log order; empty if nothing can be read
   */
  public record Part(PairContent content, List<ReadRange> ranges) {
    public Part {
      ranges = List.copyOf(ranges);
    }
  }

  /** The record tables of the period, in log order; the nearest one where the period has none. */
  public List<RecordTable> tables() {
    List<RecordTable> tables = new ArrayList<>();
    for (Part part : parts) {
      RecordTable records = part.content().records();
      if (records != null) {
        tables.add(records);
      }
    }
    if (tables.isEmpty() && nearest != null) {
      tables.add(nearest);
    }
    return tables;
  }

  /** The ranges of all pairs. */
  public List<ReadRange> ranges() {
    List<ReadRange> ranges = new ArrayList<>();
    for (Part part : parts) {
      ranges.addAll(part.ranges());
    }
    return ranges;
  }

  /** Whether the group may have any channel at all, because no record table of it can be read. */
  public boolean isUnread() {
    return tables().isEmpty() && unreadTable() != null;
  }

  /**
   * Times of pairs whose record table could not be read: those of the range; where there are none,
   * because such a pair ends shortly before the range, its own times. Empty if all tables are read.
   */
  public List<CoverageSpan> unreadTables() {
    if (unreadTable() == null) {
      return List.of();
    }
    List<CoverageSpan> ofRange = report.report().missing();
    return ofRange.isEmpty() ? unreadPairs() : ofRange;
  }

  private List<CoverageSpan> unreadPairs() {
    List<CoverageSpan> spans = new ArrayList<>();
    for (PairSection.Missing section : unreadSections()) {
      spans.add(section.span(groupPairs.group(), section.times()));
    }
    return spans;
  }

  /**
   * What is missing of pairs whose record table could not be read, at least one section of each.
   */
  private List<PairSection.Missing> unreadSections() {
    List<PairSection.Missing> sections = new ArrayList<>();
    for (Part part : parts) {
      if (part.content().records() == null) {
        sections.addAll(part.content().missing());
      }
    }
    return sections;
  }

  /** Why a pair that may hold the range does not tell its record table; null if all do. */
  public @Nullable String unreadTable() {
    List<PairSection.Missing> unread = unreadSections();
    if (!unread.isEmpty()) {
      return unread.get(0).detail();
    }
    return groupPairs.unlisted() == null
        ? null
        : String.valueOf(groupPairs.unlisted().getMessage());
  }
}
