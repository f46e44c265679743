package org.kblake.ingest.internal.verify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockSummary;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.log.LogPosition;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.image.BlockOrigin;
import org.kblake.ingest.internal.image.BlockReplay;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowMemory;

/**
 * Verifies blocks: encodes their log bytes from the columns, and compares them with the log, or
 * with its stored hashes if the log is missing.
 */
public final class Verify {

  /** Receives the progress. */
  public interface Listener {
    /** Receives the blocks that will be verified, and their bytes of log. */
    void planned(List<Block> blocks, long rawBytes);

    /** Receives the number of bytes of log that were encoded and verified since the last call. */
    void proved(Group group, long rawBytes);

    /** Receives a block that reproduces its log. */
    void sound(Block block, boolean againstLog);

    /** Receives an error: a block, or a part of the store, is wrong or cannot be read. */
    void failed(Group group, String message);

    /**
     * Receives a note: a block could not be compared with its log. This is no error of the block.
     */
    void note(Group group, String message);

    /** Receives a log that has lost its end, once for each block of it. */
    void lost(Group group, String message);
  }

  /** Passes on the findings of several threads, one call after the other. */
  private record OneAtATime(Listener listener) implements Listener {
    @Override
    public synchronized void planned(List<Block> blocks, long rawBytes) {
      listener.planned(blocks, rawBytes);
    }

    @Override
    public synchronized void proved(Group group, long rawBytes) {
      listener.proved(group, rawBytes);
    }

    @Override
    public synchronized void sound(Block block, boolean againstLog) {
      listener.sound(block, againstLog);
    }

    @Override
    public synchronized void failed(Group group, String message) {
      listener.failed(group, message);
    }

    @Override
    public synchronized void note(Group group, String message) {
      listener.note(group, message);
    }

    @Override
    public synchronized void lost(Group group, String message) {
      listener.lost(group, message);
    }
  }

  /**
   * The result of a verification.
   *
   * @param blocks number of blocks
   * @param failed number of wrong blocks
   * @param discarded number of wrong blocks that were put into the trash
   * @param rawBytes bytes of log of these blocks
   * @param nanos duration
   */
  public record Summary(int blocks, int failed, int discarded, long rawBytes, long nanos) {}

  /** A wrong block is kept by default, because without the log it may be the only copy. */
  private static final String REMEDY =
      "; if its log has not changed, make the block again with verify --discard and backfill";

  /** A good block may have the only copy of the original log. */
  private static final String LOG_CHANGED =
      "; the columns have the original hashes, so the log has changed: keep the block";

  private static final String MADE_AGAIN = "; make it again with backfill";
  private static final String DISCARDED = "; it is in the trash now: make it again with backfill";
  private static final String KEPT = "; it is kept, because ";

  private final @Nullable Archive archive;
  private final Store store;
  private final List<LogLayout> layouts;
  private final RowMemory memory;
  private final ReaderPool readers = new ReaderPool(Pace.FREE);
  private final boolean discard;
  private final Listener listener;
  private final Set<Group> unreadable = new HashSet<>();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicInteger discarded = new AtomicInteger();

  /**
   * @param archive null to compare with the stored hashes only
   * @param store open for writing if blocks are to be discarded
   * @param memoryBytes memory for rows
   * @param discard whether wrong blocks whose log is unchanged are put into the trash
   */
  public Verify(
      @Nullable Archive archive,
      Store store,
      List<LogLayout> layouts,
      long memoryBytes,
      boolean discard,
      Listener listener) {
    if (discard && archive == null) {
      throw new IllegalArgumentException("blocks are discarded only if the archive has their log");
    }
    this.archive = archive;
    this.store = store;
    this.layouts = layouts;
    this.memory = new RowMemory(memoryBytes, store.directory());
    this.discard = discard;
    this.listener = new OneAtATime(listener);
  }

  /**
   * Verifies the blocks of groups, several at a time. Each has its share of the memory.
   *
   * @param range selects blocks with events in it
   */
  public Summary run(List<Group> groups, TimeRange range, int threads)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Queue<Block> blocks = new ConcurrentLinkedQueue<>();
    long rawBytes = 0;
    int unopened = 0;
    for (Group group : groups) {
      List<CorruptBlockException> problems = new ArrayList<>();
      for (Block block : blocks(group, problems)) {
        BlockSummary summary = block.summary();
        if (range.meets(summary.firstNanos(), summary.lastNanos())) {
          rawBytes += summary.rawBytes();
          blocks.add(block);
        }
      }
      unopened += problems.size();
      for (CorruptBlockException problem : problems) {
        unopened(group, problem);
      }
    }
    int count = blocks.size() + unopened;
    listener.planned(List.copyOf(blocks), rawBytes);
    verifyAll(blocks, Math.max(1, Math.min(threads, blocks.size())));
    return new Summary(count, failed.get(), discarded.get(), rawBytes, System.nanoTime() - begin);
  }

  private void verifyAll(Queue<Block> blocks, int threads)
      throws IOException, InterruptedException {
    ExecutorService service =
        Executors.newFixedThreadPool(threads, Threads.named("kblake-verify-"));
    try {
      List<Future<?>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        RowMemory share = new RowMemory(memory.budgetBytes() / threads, store.directory());
        workers.add(
            service.submit(
                () -> {
                  for (Block block = blocks.poll(); block != null; block = blocks.poll()) {
                    verifyOrReport(block, share);
                  }
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        Threads.result(worker, "verify");
      }
    } finally {
      blocks.clear();
      service.shutdownNow();
      Threads.awaitEnd(service);
    }
  }

  /** Verifies one block. Reuses the memory of earlier calls. */
  public Summary run(Block block) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int failedBefore = failed.get();
    int discardedBefore = discarded.get();
    verify(block, memory);
    return new Summary(
        1,
        failed.get() - failedBefore,
        discarded.get() - discardedBefore,
        block.summary().rawBytes(),
        System.nanoTime() - begin);
  }

  /** Returns the blocks of a group; none if they cannot be read, which is reported once. */
  private List<Block> blocks(Group group, List<CorruptBlockException> unopened) throws IOException {
    try {
      return store.blocks(group, unopened::add);
    } catch (IOException e) {
      String why = BlockCheck.unreadable(e);
      if (unreadable.add(group)) {
        failed.incrementAndGet();
        listener.failed(group, why);
      }
      return List.of();
    }
  }

  private void unopened(Group group, CorruptBlockException problem)
      throws IOException, InterruptedException {
    failed.incrementAndGet();
    List<LogPosition> ends = Store.endsOf(problem);
    if (!discard || archive == null || ends.isEmpty()) {
      listener.failed(group, problem.getMessage() + MADE_AGAIN);
      return;
    }
    String kept = whyKept(archive, group, origin -> origin.whyKept(ends));
    if (kept == null) {
      store.discardDamaged(problem);
      discarded.incrementAndGet();
    }
    listener.failed(group, problem.getMessage() + (kept == null ? DISCARDED : KEPT + kept));
  }

  /** Reports a wrong block. A block that was merged or evicted meanwhile is not reported. */
  private synchronized void wrong(Block block, String failure)
      throws IOException, InterruptedException {
    if (block.isRemoved()) {
      removed(block);
      return;
    }
    if (!discard || archive == null) {
      failed.incrementAndGet();
      listener.failed(block.group(), failure + REMEDY);
      return;
    }
    String kept = whyKept(archive, block.group(), origin -> origin.whyKept(block));
    if (kept == null && !store.discard(block)) {
      removed(block);
      return;
    }
    failed.incrementAndGet();
    if (kept == null) {
      discarded.incrementAndGet();
    }
    listener.failed(block.group(), failure + (kept == null ? DISCARDED : KEPT + kept));
  }

  private void removed(Block block) {
    listener.note(block.group(), "block was removed before it was verified: block=" + block);
  }

  /** Returns the reason why a block is kept; null if it may be discarded. */
  private interface Reason {
    @Nullable String of(BlockOrigin origin) throws IOException, InterruptedException;
  }

  private static @Nullable String whyKept(Archive archive, Group group, Reason reason)
      throws IOException, InterruptedException {
    try {
      return reason.of(new BlockOrigin(archive, group));
    } catch (UnavailableException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** Verifies one of many blocks. A block that cannot be read does not stop the others. */
  private void verifyOrReport(Block block, RowMemory share)
      throws IOException, InterruptedException {
    try {
      verify(block, share);
    } catch (StoreWriteException | ClosedByInterruptException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (!block.isRemoved()) {
        failed.incrementAndGet();
        listener.failed(
            block.group(), "block cannot be read: block=" + block + ", " + e + "; check its disk");
      } else {
        removed(block);
      }
    }
  }

  private void verify(Block block, RowMemory share) throws IOException, InterruptedException {
    try (BlockComparison comparison = new BlockComparison(archive, layouts, block, listener)) {
      new BlockReplay(block, layouts, share, readers).run(comparison);
      String failure = comparison.failure();
      if (failure != null) {
        if (comparison.logChanged() || comparison.anotherPair()) {
          failed.incrementAndGet();
          listener.failed(
              block.group(), failure + (comparison.logChanged() ? LOG_CHANGED : MADE_AGAIN));
        } else {
          wrong(block, failure);
        }
        return;
      }
      // This checks what a replay does not read, but Parquet readers and restore do.
      block.check();
      listener.sound(block, comparison.againstLog());
    } catch (CorruptBlockException e) {
      wrong(block, String.valueOf(e.getMessage()));
    }
  }
}
