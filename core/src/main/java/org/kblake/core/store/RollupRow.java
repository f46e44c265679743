package org.kblake.core.store;

import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.internal.store.rollup.RollupTable;

/**
 * What a block has of a channel in a bin of time.
 *
 * @param channel the channel's name
 * @param widthNanos the width of the bin
 * @param fromNanos the begin of the bin, nanoseconds since 1970 UTC
 * @param count the number of value events
 * @param nan the number of them that are NaN
 * @param severity the worst severity of the value events
 * @param min the least number; null if all are NaN
 * @param max the greatest number; null if all are NaN
 * @param mean the mean of the numbers; null if all are NaN
 */
public record RollupRow(
    String channel,
    long widthNanos,
    long fromNanos,
    long count,
    long nan,
    int severity,
    @Nullable Double min,
    @Nullable Double max,
    @Nullable Double mean) {

  static RollupRow of(RollupTable table, RollupRows rows, int row) {
    boolean hasNumbers = rows.numbers(row) > 0;
    return new RollupRow(
        table.channel(),
        table.widthNanos(),
        rows.integer(RollupColumn.BIN, row),
        rows.integer(RollupColumn.COUNT, row),
        rows.integer(RollupColumn.NAN, row),
        (int) rows.integer(RollupColumn.SEVERITY, row),
        hasNumbers ? rows.number(RollupColumn.MIN, row) : null,
        hasNumbers ? rows.number(RollupColumn.MAX, row) : null,
        hasNumbers ? rows.number(RollupColumn.MEAN, row) : null);
  }
}
