package org.kblake.query.internal.pair;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.layout.RecordTable;
import org.kblake.query.internal.catalog.PairRange;
import org.kblake.query.internal.catalog.PairSlot;

/**
 * The ranges of a pair's log, with the source of each.
 *
 * @param slot the pair
 * @param log the snapshot of the pair's files; null if they cannot be read or are not used
 * @param records the record table; null if it is unknown, and then a range is missing
 * @param intervalNanos the milestone interval
 * @param closedAtOffset the size of the log if the pair is closed; {@link Long#MAX_VALUE} if it is
 *     open, or this is unknown
 * @param pairRanges the ranges of the whole log, in order
 */
public record PairContent(
    PairSlot slot,
    @Nullable PairLog log,
    @Nullable RecordTable records,
    long intervalNanos,
    long closedAtOffset,
    List<PairRange> pairRanges) {

  /** Returns whether a range is in a block. */
  public boolean isStored(int pairRange) {
    return pairRange >= 0
        && pairRange < pairRanges.size()
        && pairRanges.get(pairRange) instanceof PairRange.Stored;
  }

  /** Returns the ranges that cannot be read, in order. */
  public List<PairRange.Missing> missing() {
    List<PairRange.Missing> missing = new ArrayList<>();
    for (PairRange pairRange : pairRanges) {
      if (pairRange instanceof PairRange.Missing nowhere) {
        missing.add(nowhere);
      }
    }
    return missing;
  }
}
