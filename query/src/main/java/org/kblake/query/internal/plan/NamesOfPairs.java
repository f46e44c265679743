package org.kblake.query.internal.plan;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.layout.RecordTable;
import org.kblake.query.internal.catalog.PairSlot;
import org.kblake.query.internal.catalog.PairSnapshotCache;
import org.kblake.query.internal.catalog.RecordTableCache;
import org.kblake.query.internal.pair.PairResolver;
import org.kblake.query.question.Source;

/**
 * Checks by record tables alone whether pairs have channels of some names. A plan also reads the
 * segments of each pair. For a year of many groups that takes longer than reading one channel.
 */
final class NamesOfPairs {

  private final PairSnapshotCache logs;
  private final RecordTableCache recordTables;
  private final Source source;

  NamesOfPairs(PairSnapshotCache logs, RecordTableCache recordTables, Source source) {
    this.logs = logs;
    this.recordTables = recordTables;
    this.source = source;
  }

  /**
   * Returns whether the record table of every pair can be read, and none has any of the names.
   *
   * @param pairs the pairs; if there are none, nothing is known of the group
   */
  boolean excludeAll(List<PairSlot> pairs, Set<String> names) {
    for (PairSlot slot : pairs) {
      RecordTable records = recordsOf(slot);
      if (records == null || records.hasAny(names)) {
        return false;
      }
    }
    return !pairs.isEmpty();
  }

  /**
   * Returns the record table that {@link PairResolver} finds for the pair; null if a source of the
   * pair cannot be read. The plan then reports why.
   */
  private @Nullable RecordTable recordsOf(PairSlot slot) {
    Pair pair = slot.pair();
    try {
      if (source != Source.STORE && pair != null) {
        return logs.open(pair, source == Source.AUTO).log().records();
      }
      return slot.stored().isEmpty() ? null : recordTables.records(slot.stored().get(0));
    } catch (IOException e) {
      return null;
    }
  }
}
