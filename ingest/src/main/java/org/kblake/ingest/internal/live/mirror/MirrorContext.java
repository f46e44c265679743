package org.kblake.ingest.internal.live.mirror;

import java.time.Clock;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.kblake.ingest.internal.live.state.Counters;

/**
 * The objects that the copies of all pairs share.
 *
 * @param reads the reads of the archive
 * @param recheck the interval at which verified bytes are compared with the log
 * @param retryNanos the time after which a failed write is tried again
 * @param nanoTime the clock of intervals, as {@link System#nanoTime} counts
 * @param clock the clock with which modification times are compared
 */
record MirrorContext(
    SourceReads reads,
    Counters counters,
    Duration recheck,
    long retryNanos,
    LongSupplier nanoTime,
    Clock clock) {

  long now() {
    return nanoTime.getAsLong();
  }
}
