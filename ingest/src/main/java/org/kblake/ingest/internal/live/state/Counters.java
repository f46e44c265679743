package org.kblake.ingest.internal.live.state;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * What happened: since the process began, and since the counters were set back, to measure the
 * effect of a change. Safe for many threads.
 */
public final class Counters {

  /** What is counted. */
  public enum Count {
    /** Reads of columns. */
    HITS,
    /** Reads of logs. */
    MISSES,
    /** Bytes of log that columns answered. */
    BYTES_FROM_COLUMNS,
    /** Bytes of log that were read from logs. */
    BYTES_FROM_LOGS,
    /** Blocks made as logs grew. */
    SEALED_BLOCKS,
    /** Events in them. */
    SEALED_EVENTS,
    /** Bytes of log in them. */
    SEALED_LOG_BYTES,
    /** Bytes written to the store. */
    STORED_BYTES,
    /** Blocks that went for the sake of the budget. */
    EVICTIONS,
    /** Blocks that could not go, because the archive does not have them any more. */
    EVICTIONS_REFUSED,
    /** Stretches put into columns because they were read. */
    ADMISSIONS,
    /** Stretches that were read and not put into columns: no headroom, or not wanted. */
    ADMISSIONS_REFUSED,
    /** Names where readers leave records that were not taken: no plain file of its user. */
    RECORDS_REFUSED,
    /** Stretches that were read from the log although they had been in columns once. */
    REREADS,
    /** Blocks that were made again because the log says something else. */
    REMADE_BLOCKS,
    /** Blocks that were merged into larger ones. */
    MERGED_BLOCKS,
    /** Blocks that were proved against their logs. */
    SCRUBBED_BLOCKS,
    /** Nanoseconds in which logs were put into columns, of all workers together. */
    SEALING_NANOS,
    /** Nanoseconds in which blocks were merged, looks for what to merge included. */
    MERGING_NANOS,
    /** Bytes of log that readers have in the mirror, each time one of them was added. */
    MIRRORED_BYTES,
    /** Bytes that were read from the archive for the mirror's sake. */
    MIRROR_READ_BYTES,
    /** Logs that read otherwise than their copies in the mirror. */
    MIRROR_DIFFERENCES,
    /** Problems with logs that began. */
    ARCHIVE_ERRORS,
    /** Problems with columns that began. */
    STORE_ERRORS
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  private final Map<Count, Long> marks = new ConcurrentHashMap<>();

  public Counters() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  /** How many since they were set back. */
  public long get(Count count) {
    return total(count) - marks.getOrDefault(count, 0L);
  }

  /** How many since the process began; it never becomes less. */
  public long total(Count count) {
    return adder(count).sum();
  }

  /** Counts more. */
  public void add(Count count, long more) {
    adder(count).add(more);
  }

  private LongAdder adder(Count count) {
    LongAdder adder = counts.get(count);
    if (adder == null) {
      throw new IllegalStateException("not counted: " + count);
    }
    return adder;
  }

  /** Sets all of them back, but for what {@link #total} says. */
  public void reset() {
    counts.forEach((count, adder) -> marks.put(count, adder.sum()));
  }
}
