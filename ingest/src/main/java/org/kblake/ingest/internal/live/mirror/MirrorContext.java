package org.kblake.ingest.internal.live.mirror;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.kblake.ingest.internal.live.state.Counters;

/**
 * What the copies of all pairs share.
 *
 * @param reads how the archive is read
 * @param recheck how often what is verified is compared with the log
 * @param retryNanos a mirror that could not be written is tried again after so long
 * @param nanoTime the clock, as {@link System#nanoTime} counts
 */
record MirrorContext(
    SourceReads reads,
    Counters counters,
    Duration recheck,
    long retryNanos,
    LongSupplier nanoTime) {

  long now() {
    return nanoTime.getAsLong();
  }
}
