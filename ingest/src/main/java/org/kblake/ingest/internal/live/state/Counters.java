package org.kblake.ingest.internal.live.state;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters of work since the process began. They can be reset, to measure the effect of a change.
 * Safe for many threads.
 */
public final class Counters {

  /** The name of a counter. */
  public enum Count {
    /** Reads of columns. */
    HITS,
    /** Reads of logs. */
    MISSES,
    /** Bytes of log that were read from columns. */
    BYTES_FROM_COLUMNS,
    /** Bytes of log that were read from logs. */
    BYTES_FROM_LOGS,
    /** Blocks that were sealed. */
    SEALED_BLOCKS,
    /** Events in sealed blocks. */
    SEALED_EVENTS,
    /** Bytes of log in sealed blocks. */
    SEALED_LOG_BYTES,
    /** Bytes written to the store. */
    STORED_BYTES,
    /** Blocks that were evicted to stay within the budget. */
    EVICTIONS,
    /** Blocks that could not be evicted, because the archive no longer has the same log. */
    EVICTIONS_REFUSED,
    /** Spans that were put into columns because they were read. */
    ADMISSIONS,
    /**
     * Spans that were read and not put into columns, for lack of headroom or by the group's mode.
     */
    ADMISSIONS_REFUSED,
    /** Access records that were refused, because their file is not a plain file of their user. */
    RECORDS_REFUSED,
    /** Spans that were read from the log after their eviction. */
    REREADS,
    /** Blocks that were made again because they differed from the log. */
    REMADE_BLOCKS,
    /** Blocks that were merged into larger ones. */
    MERGED_BLOCKS,
    /** Blocks that were verified against their logs. */
    SCRUBBED_BLOCKS,
    /** Nanoseconds of putting logs into columns, summed over all workers. */
    SEALING_NANOS,
    /** Nanoseconds of merging blocks, including the search for blocks to merge. */
    MERGING_NANOS,
    /** Bytes of log that were added to the mirror for readers. */
    MIRRORED_BYTES,
    /** Bytes that were read from the archive for the mirror. */
    MIRROR_READ_BYTES,
    /** Differences that were found between logs and their copies in the mirror. */
    MIRROR_DIFFERENCES,
    /** Problems with logs, counted when they begin. */
    ARCHIVE_ERRORS,
    /** Problems with columns, counted when they begin. */
    STORE_ERRORS
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  private final Map<Count, Long> marks = new ConcurrentHashMap<>();

  public Counters() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  /** Returns the count since the last reset. */
  public long get(Count count) {
    return total(count) - marks.getOrDefault(count, 0L);
  }

  /** Returns the count since the process began. It never decreases. */
  public long total(Count count) {
    return adder(count).sum();
  }

  /** Adds to a counter. */
  public void add(Count count, long more) {
    adder(count).add(more);
  }

  private LongAdder adder(Count count) {
    LongAdder adder = counts.get(count);
    if (adder == null) {
      throw new IllegalStateException("unknown counter: " + count);
    }
    return adder;
  }

  /** Resets all counters. {@link #total} is not changed. */
  public void reset() {
    counts.forEach((count, adder) -> marks.put(count, adder.sum()));
  }
}
