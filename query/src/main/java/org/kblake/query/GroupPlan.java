package org.kblake.query;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.RecordTable;

/**
 * Where the answer of one group comes from.
 *
 * @param history the group's pairs
 * @param contents what finds out where pairs can be read, and remembers what it was disappointed by
 * @param parts the pairs that may hold the range, in log order
 * @param report what is known already of times that cannot be answered
 * @param nearest the record table nearest to the range, where no part has one; null if there is
 *     none
 */
record GroupPlan(
    GroupHistory history,
    PairContents contents,
    List<Part> parts,
    CoverageBuilder report,
    @Nullable RecordTable nearest) {

  GroupPlan {
    parts = List.copyOf(parts);
  }

  /**
   * A pair that may hold the range.
   *
   * @param content the pair
   * @param legs what of it is read and where, in log order; empty if nothing can be read
   */
  record Part(PairContent content, List<Leg> legs) {
    Part {
      legs = List.copyOf(legs);
    }
  }

  /** The record tables of the period, in log order; the nearest one where the period has none. */
  List<RecordTable> tables() {
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

  /** The legs of all pairs. */
  List<Leg> legs() {
    List<Leg> legs = new ArrayList<>();
    for (Part part : parts) {
      legs.addAll(part.legs());
    }
    return legs;
  }

  /** Whether the group may have any channel at all, because no record table of it can be read. */
  boolean isUnread() {
    return tables().isEmpty() && unreadTable() != null;
  }

  /**
   * What is missing of the range because a pair's record table could not be read; empty if none.
   */
  List<CoverageSpan> unreadTables() {
    return unreadTable() == null ? List.of() : report.report().missing();
  }

  /** Why a pair that may hold the range does not tell its record table; null if all do. */
  @Nullable String unreadTable() {
    for (Part part : parts) {
      if (part.content().records() == null) {
        for (Piece piece : part.content().pieces()) {
          if (piece instanceof Piece.Missing missing) {
            return missing.detail();
          }
        }
        return "pair=" + part.content().slot().stamp();
      }
    }
    return history.unlisted() == null ? null : String.valueOf(history.unlisted().getMessage());
  }
}
