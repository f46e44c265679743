package org.kblake.cli.run.status;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import org.jspecify.annotations.Nullable;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;

/** The counters as metrics. They count from the start of the process, so they never decrease. */
enum CountMetric {
  SEALED_BLOCKS(Count.SEALED_BLOCKS, "sealed.blocks", "Blocks made"),
  SEALED_EVENTS(Count.SEALED_EVENTS, "sealed.events", "Events put into columns"),
  SEALED_LOG_BYTES(Count.SEALED_LOG_BYTES, "sealed.raw.bytes", "Log put into columns"),
  STORED_BYTES(Count.STORED_BYTES, "sealed.stored.bytes", "Columns made"),
  SEALING(
      Count.SEALING_NANOS, "sealing.seconds", "Time of worker threads that put log into columns"),
  MERGED_BLOCKS(Count.MERGED_BLOCKS, "merged.blocks", "Blocks that were merged into larger ones"),
  MERGING(Count.MERGING_NANOS, "merging.seconds", "Time in which blocks were merged"),
  SCRUBBED_BLOCKS(
      Count.SCRUBBED_BLOCKS, "scrubbed.blocks", "Blocks that were verified against their logs"),
  DISCARDED_BLOCKS(
      Count.REMADE_BLOCKS,
      "discarded.blocks",
      "Blocks that differed from their logs and were discarded"),
  EVICTED_BLOCKS(
      Count.EVICTIONS, "evicted.blocks", "Blocks that were evicted because of the budget"),
  EVICTIONS_REFUSED(
      Count.EVICTIONS_REFUSED,
      "evictions.refused",
      "Blocks that were not evicted, because the archive does not have their logs any more"),
  HITS(Count.HITS, "hits", "Stretches that readers read from columns"),
  MISSES(Count.MISSES, "misses", "Stretches that readers read from the log"),
  REREADS(
      Count.REREADS,
      "rereads",
      "Stretches that readers read from the log and that had been in columns before"),
  ADMISSIONS(Count.ADMISSIONS, "admissions", "Stretches put into columns because they were read"),
  ADMISSIONS_REFUSED(
      Count.ADMISSIONS_REFUSED,
      "admissions.refused",
      "Stretches that were read and not put into columns: no space, or excluded by the mode"),
  RECORDS_REFUSED(
      Count.RECORDS_REFUSED,
      "records.refused",
      "Access record files that were refused, because they are invalid"),
  BYTES_FROM_COLUMNS(
      Count.BYTES_FROM_COLUMNS,
      "read.columns.bytes",
      "Log that readers read from columns, in bytes"),
  BYTES_FROM_LOGS(
      Count.BYTES_FROM_LOGS, "read.logs.bytes", "Log that readers read from the log, in bytes"),
  MIRRORED_BYTES(
      Count.MIRRORED_BYTES, "mirrored.bytes", "Log that was copied to the mirror, in bytes"),
  MIRROR_READ_BYTES(
      Count.MIRROR_READ_BYTES,
      "mirror.read.bytes",
      "Log that was read from the archive for the mirror, in bytes"),
  MIRROR_DIFFERENCES(
      Count.MIRROR_DIFFERENCES,
      "mirror.differences",
      "Logs that differed from their copies in the mirror"),
  ARCHIVE_ERRORS(
      Count.ARCHIVE_ERRORS, "archive.errors", "Problems with logs, counted when they begin"),
  STORE_ERRORS(
      Count.STORE_ERRORS, "store.errors", "Problems with columns, counted when they begin");

  private static final double NANO = 1e-9;

  private final Count count;
  private final String name;
  private final String meaning;

  CountMetric(Count count, String name, String meaning) {
    this.count = count;
    this.name = name;
    this.meaning = meaning;
  }

  void register(MeterRegistry registry, Counters counters) {
    double scale = name.endsWith("seconds") ? NANO : 1;
    FunctionCounter.builder(RunMetrics.PREFIX + name, counters, from -> from.total(count) * scale)
        .baseUnit(unit())
        .description(meaning)
        .register(registry);
  }

  private @Nullable String unit() {
    String last = name.substring(name.lastIndexOf('.') + 1);
    return last.equals("bytes") || last.equals("seconds") ? last : null;
  }
}
