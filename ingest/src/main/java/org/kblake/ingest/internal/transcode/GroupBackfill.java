package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.log.scan.LogScanner;
import org.kblake.core.internal.log.scan.Segment;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockRecorder;
import org.kblake.ingest.internal.image.StableRead;
import org.kblake.ingest.internal.pace.PacedReads;
import org.kblake.ingest.internal.rows.RowEncoding;
import org.kblake.ingest.internal.rows.ScatteredRows;

/**
 * Puts the ranges of one group's plan into blocks, one after another. A block ends where the ranges
 * do not adjoin, or when the memory for rows or for the block's metadata is full. Confined to the
 * thread that runs it.
 */
final class GroupBackfill {

  private static final int FIRST_GENERATION = 1;

  private final Store store;
  private final BackfillPlan plan;
  private final WriteProfile profile;
  private final RowEncoding encoding;
  private final BlockPipeline pipeline;
  private final Semaphore cores;
  private final TranscodeListener progress;

  /** The end of the last recorded segment of a range. */
  private long reachedOffset;

  private @Nullable BlockWriter writer;
  private @Nullable BlockRecorder recorder;

  GroupBackfill(
      Store store,
      BackfillPlan plan,
      WriteProfile profile,
      RowEncoding encoding,
      BlockPipeline pipeline,
      Semaphore cores,
      TranscodeListener progress) {
    this.store = store;
    this.plan = plan;
    this.profile = profile;
    this.encoding = encoding;
    this.pipeline = pipeline;
    this.cores = cores;
    this.progress = progress;
  }

  void run() throws IOException, InterruptedException {
    cores.acquire();
    try {
      recordRanges();
    } catch (Throwable e) {
      FirstFailure.close(e, this::end);
      throw e;
    }
    end();
  }

  private void recordRanges() throws IOException, InterruptedException {
    for (BackfillPlan.Range range : plan.ranges()) {
      if (!range.adjoinsPrevious()) {
        seal();
      }
      try {
        recordRange(range);
      } catch (PendingPairException e) {
        progress.pending(plan.group(), String.valueOf(e.getMessage()));
        sealWholeSegments();
      } catch (UnavailableException | CorruptLogException | TooNewException e) {
        progress.problem(plan.group(), String.valueOf(e.getMessage()));
        sealWholeSegments();
      }
    }
    seal();
    pipeline.await();
  }

  private void end() throws IOException {
    cores.release();
    pipeline.end();
    BlockWriter unfinished = writer;
    if (unfinished != null) {
      unfinished.close();
    }
  }

  /**
   * Records a range. A segment that cannot be read is skipped, and the range continues at the next
   * milestone of the index. The range ends if that segment cannot be read either, because the
   * volume may have failed.
   */
  private void recordRange(BackfillPlan.Range range) throws IOException, InterruptedException {
    PairLog log = plan.open(range);
    reachedOffset = range.fromOffset();
    boolean advanced = true;
    String reported = "";
    while (true) {
      long from = reachedOffset;
      try {
        scan(range, log, from);
        return;
      } catch (UnavailableException e) {
        String failure = String.valueOf(e.getMessage());
        if (!failure.equals(reported)) {
          progress.problem(plan.group(), failure);
          reported = failure;
        }
        sealWholeSegments();
        advanced |= reachedOffset > from;
        long next = log.milestones().offsetAfter(reachedOffset, range.toOffset());
        if (!advanced || next >= range.toOffset()) {
          return;
        }
        reachedOffset = next;
        advanced = false;
      }
    }
  }

  private void scan(BackfillPlan.Range range, PairLog log, long fromOffset)
      throws IOException, InterruptedException {
    try (PacedReads ahead = new PacedReads(log, fromOffset);
        LogScanner scanner = LogScanner.open(log, fromOffset, range.toOffset(), null, true)) {
      long from = fromOffset;
      while (from < range.toOffset()) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        long next = Math.min(log.milestones().offsetAfter(from, log.logBytes()), range.toOffset());
        ahead.fetch(next);
        while (from < next && scanner.nextSegment()) {
          Segment segment = scanner.segment();
          if (!segment.whole()) {
            // After an unwritten gap no segment is whole, even if the index has further milestones.
            sealWholeSegments();
            return;
          }
          BlockRecorder open = recorder(range.pair().group());
          open.pair(log, segment.startOffset());
          recordSegment(scanner, open);
          report(segment);
          from = segment.endOffset();
          reachedOffset = from;
        }
        if (from < next && !log.closed()) {
          sealWholeSegments();
          return;
        }
        if (from < next) {
          throw new CorruptLogException(
              "log ends before its index says",
              range.pair().logPath(),
              from,
              "the end of the data",
              "a segment up to " + next);
        }
        BlockRecorder recorded = recorder;
        if (recorded != null && recorded.full()) {
          seal();
        }
      }
    }
  }

  private static void recordSegment(LogScanner scanner, BlockRecorder open) throws IOException {
    try {
      open.segment(scanner);
    } catch (InternalError e) {
      throw scanner.fault(e);
    }
  }

  private void report(Segment segment) {
    segment.damage().forEach(damage -> progress.problem(plan.group(), damage.toString()));
    progress.scanned(plan.group(), segment.endOffset() - segment.startOffset(), segment.events());
  }

  private BlockRecorder recorder(Group group) throws IOException {
    BlockRecorder open = recorder;
    if (open == null) {
      BlockWriter block = store.write(group, profile);
      writer = block;
      open = new BlockRecorder(group, pipeline.rows(), block.patch());
      recorder = open;
    }
    return open;
  }

  /** Makes a block of the segments that were recorded before a read error. */
  private void sealWholeSegments() throws IOException, InterruptedException {
    BlockRecorder recorded = recorder;
    if (recorded != null) {
      recorded.keep(recorded.segments().size());
    }
    seal();
  }

  /** Makes a block of the recorded segments, if any. */
  private void seal() throws IOException, InterruptedException {
    BlockWriter block = writer;
    BlockRecorder recorded = recorder;
    if (block == null || recorded == null) {
      return;
    }
    long readNanos = System.nanoTime();
    pipeline.seal(full -> commit(block, recorded, full, readNanos));
    writer = null;
    recorder = null;
  }

  private void commit(BlockWriter block, BlockRecorder recorded, ScatteredRows full, long readNanos)
      throws IOException, InterruptedException {
    try (block) {
      keepSettledSegments(recorded, readNanos);
      if (recorded.segments().isEmpty()) {
        return;
      }
      encoding.write(full, recorded.series(), block);
      progress.committed(
          block.commit(
              recorded.summary(),
              recorded.segments(),
              recorded.pairs(),
              recorded.damage(),
              FIRST_GENERATION));
    }
  }

  private void keepSettledSegments(BlockRecorder recorded, long readNanos)
      throws IOException, InterruptedException {
    StableRead stable = StableRead.of(recorded, readNanos);
    if (stable.segments() == recorded.segments().size()) {
      return;
    }
    UnavailableException failure = stable.failure();
    if (failure == null) {
      progress.pending(
          plan.group(),
          "growing log changed while it was read: stretches="
              + recorded.summary().spans()
              + "; run backfill again");
    } else {
      progress.problem(plan.group(), String.valueOf(failure.getMessage()));
    }
    recorded.keep(stable.segments());
  }
}
