package org.kblake.query.internal.rollup;

import java.io.IOException;
import java.util.BitSet;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.query.internal.plan.PlannedRange;
import org.kblake.query.internal.plan.StoredRange;

/**
 * The rows of a rollup that take the place of events in an integral of the held value, which needs
 * all events in log order.
 *
 * <p>Such a row has numbers only, they ascend in time, and no other event is between them in the
 * log. Each event of an earlier row is before it in the log, and each event of a later row behind
 * it. For numbers the places say so. The file does not have the places of NaN and of connection
 * events, so a row is not used if it shares a segment with a row that has such events on the wrong
 * side.
 */
final class HeldOrder {

  /** Below this a product of a value and a time may lose digits. */
  private static final double LEAST = 0x1p-900;

  private final RollupRows rows;
  private final int lastBefore;
  private final BitSet used = new BitSet();

  /**
   * @param lastBefore the last segment that may have events from before the bins, or from before
   *     the event that decides about the value at their begin; -1 if there is none
   */
  HeldOrder(RollupRows rows, int lastBefore) {
    this.rows = rows;
    this.lastBefore = lastBefore;
    compareWithEarlier();
    compareWithLater();
  }

  /**
   * Returns the last segment of ranges that may have events from before a time, or from before a
   * segment in log order; -1 if there is none.
   *
   * @param fromNanos the time
   * @param orderKey the key of the segment in log order
   */
  static int lastBefore(BlockRanges blockRanges, long fromNanos, long orderKey) throws IOException {
    int before = -1;
    for (PlannedRange range : blockRanges.ranges()) {
      StoredRange stored = BlockRanges.stored(range);
      int number = stored.fromSegment();
      for (StoredSegment segment :
          stored.block().segments(stored.fromSegment(), stored.toSegment())) {
        if (segment.firstNanos() < fromNanos
            || stored.pair().orderKey(segment.startOffset()) <= orderKey) {
          before = number;
        }
        number++;
      }
    }
    return before;
  }

  private void compareWithEarlier() {
    long lastPlace = -1;
    long lastSegment = lastBefore;
    for (int row = 0; row < rows.count(); row++) {
      if (isWhole(row)
          && rows.integer(RollupColumn.FIRST_PLACE, row) > lastPlace
          && rows.integer(RollupColumn.FIRST_SEGMENT, row) > lastSegment) {
        used.set(row);
      }
      if (rows.numbers(row) > 0) {
        lastPlace = Math.max(lastPlace, rows.integer(RollupColumn.LAST_PLACE, row));
      }
      if (hasOthers(row)) {
        lastSegment = Math.max(lastSegment, rows.integer(RollupColumn.LAST_SEGMENT, row));
      }
    }
  }

  private void compareWithLater() {
    long firstPlace = Long.MAX_VALUE;
    long firstSegment = Long.MAX_VALUE;
    for (int row = rows.count() - 1; row >= 0; row--) {
      if (used.get(row)
          && (rows.integer(RollupColumn.LAST_PLACE, row) >= firstPlace
              || rows.integer(RollupColumn.LAST_SEGMENT, row) >= firstSegment)) {
        used.clear(row);
      }
      if (rows.numbers(row) > 0) {
        firstPlace = Math.min(firstPlace, rows.integer(RollupColumn.FIRST_PLACE, row));
      }
      if (hasOthers(row)) {
        firstSegment = Math.min(firstSegment, rows.integer(RollupColumn.FIRST_SEGMENT, row));
      }
    }
  }

  /** Returns whether a row's events follow each other in the log, and its integral is exact. */
  private boolean isWhole(int row) {
    double most = rows.isPlain(row) ? rows.most(row) : Double.NaN;
    return (most == 0 || most >= LEAST)
        && rows.integer(RollupColumn.LAST_PLACE, row) - rows.integer(RollupColumn.FIRST_PLACE, row)
            == rows.numbers(row) - 1;
  }

  /** Returns whether a row has events whose places are unknown. */
  private boolean hasOthers(int row) {
    return rows.integer(RollupColumn.STATES, row) > 0 || rows.integer(RollupColumn.NAN, row) > 0;
  }

  boolean isUsed(int row) {
    return used.get(row);
  }

  /** Returns the last segment whose events are read before all rows; -1 if there is none. */
  int lastBefore() {
    return lastBefore;
  }
}
