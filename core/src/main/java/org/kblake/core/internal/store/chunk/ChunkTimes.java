package org.kblake.core.internal.store.chunk;

import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;

/**
 * The times of a chunk without strays, collected while its rows are written.
 *
 * @param firstNanos time of the earliest event, {@link Long#MAX_VALUE} if there is none
 * @param lastNanos time of the latest event, {@link Long#MIN_VALUE} if there is none
 * @param firstValueNanos time of the earliest value event, {@link Long#MAX_VALUE} if there is none
 */
public record ChunkTimes(long firstNanos, long lastNanos, long firstValueNanos) {

  /** The times of no rows. */
  public static final ChunkTimes NONE =
      new ChunkTimes(Long.MAX_VALUE, Long.MIN_VALUE, Long.MAX_VALUE);

  /** Returns these times extended by those of more rows. */
  public ChunkTimes and(EventColumns rows) {
    long first = firstNanos;
    long last = lastNanos;
    long firstValue = firstValueNanos;
    for (int row = 0; row < rows.count; row++) {
      if (rows.stray[row] == 0) {
        long time = rows.timeNanos[row];
        first = Math.min(first, time);
        last = Math.max(last, time);
        if (rows.state[row] == EventState.VALUE_CODE) {
          firstValue = Math.min(firstValue, time);
        }
      }
    }
    return new ChunkTimes(first, last, firstValue);
  }
}
