package org.kblake.cli.run.status;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.run.settings.RunLog;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowListener;

/** Logs and counts the work of the process. */
public final class RunCounters implements FollowListener {

  private final RunLog log;
  private final Counters counters = new Counters();
  private final AtomicBoolean reported = new AtomicBoolean();
  private volatile @Nullable ReadSizes reads;

  public RunCounters(RunLog log) {
    this.log = log;
  }

  /** Returns the counters. */
  public Counters counters() {
    return counters;
  }

  /** Adds reads of readers to histograms from now on. */
  public void show(ReadSizes histograms) {
    reads = histograms;
  }

  /** Returns the counts since the process began. */
  public RunStatus.Counters total() {
    return numbers(counters::total);
  }

  /** Returns the counts since the counters were reset. */
  public RunStatus.Counters now() {
    return numbers(counters::get);
  }

  private static RunStatus.Counters numbers(ToLongFunction<Count> of) {
    return new RunStatus.Counters(
        of.applyAsLong(Count.SEALED_BLOCKS),
        of.applyAsLong(Count.SEALED_EVENTS),
        of.applyAsLong(Count.SEALED_LOG_BYTES),
        of.applyAsLong(Count.STORED_BYTES),
        of.applyAsLong(Count.REMADE_BLOCKS),
        of.applyAsLong(Count.EVICTIONS),
        of.applyAsLong(Count.ARCHIVE_ERRORS) + of.applyAsLong(Count.STORE_ERRORS),
        of.applyAsLong(Count.BYTES_FROM_COLUMNS),
        of.applyAsLong(Count.BYTES_FROM_LOGS),
        of.applyAsLong(Count.HITS),
        of.applyAsLong(Count.MISSES),
        of.applyAsLong(Count.REREADS),
        of.applyAsLong(Count.ADMISSIONS),
        of.applyAsLong(Count.ADMISSIONS_REFUSED),
        of.applyAsLong(Count.EVICTIONS_REFUSED),
        of.applyAsLong(Count.MERGED_BLOCKS),
        of.applyAsLong(Count.SCRUBBED_BLOCKS),
        of.applyAsLong(Count.ARCHIVE_ERRORS),
        of.applyAsLong(Count.STORE_ERRORS),
        of.applyAsLong(Count.RECORDS_REFUSED));
  }

  @Override
  public void sealed(Block block, long bytes) {
    log.info(
        "block sealed",
        "group",
        block.group(),
        "block",
        block.directory().getFileName(),
        "events",
        block.summary().events(),
        "rawBytes",
        block.summary().rawBytes(),
        "storedBytes",
        bytes);
  }

  @Override
  public void merged(List<Block> smaller, Block block, long bytes) {
    log.info(
        smaller.size() == 1 ? "block written again" : "blocks merged",
        "group",
        block.group(),
        "blocks",
        smaller.size(),
        "block",
        block.directory().getFileName(),
        "storedBytes",
        bytes);
  }

  @Override
  public void discarded(Block block, String why) {
    log.warn(
        "block discarded, it will be made again",
        "group",
        block.group(),
        "block",
        block.directory().getFileName(),
        "reason",
        why);
  }

  @Override
  public void evicted(Block block, long bytes) {
    log.info(
        "block evicted",
        "group",
        block.group(),
        "block",
        block.directory().getFileName(),
        "storedBytes",
        bytes);
  }

  @Override
  public void read(Access access) {
    ReadSizes histograms = reads;
    if (histograms != null) {
      histograms.add(access);
    }
  }

  /** Logs the first refused record only, because there may be many. A counter counts all. */
  @Override
  public void refused(String what) {
    if (!reported.getAndSet(true)) {
      log.warn("record of a reader is refused; further ones are only counted", "reason", what);
    }
  }

  @Override
  public void problem(Group group, String message) {
    log.warn("problem", "group", group, "problem", message);
  }

  @Override
  public void over(Group group, String message) {
    log.info("problem is over", "group", group, "problem", message);
  }
}
