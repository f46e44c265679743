package org.kblake.ingest.internal.transcode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.rows.RowEncoding;
import org.kblake.ingest.internal.rows.RowMemory;
import org.kblake.ingest.internal.rows.ScatteredRows;

/**
 * Makes blocks of plans, with cores and memory that all groups share. Several threads may transcode
 * at once, each one group at a time.
 */
public final class Transcoder implements AutoCloseable {

  private final Store store;
  private final WriteProfile profile;
  private final Semaphore cores;
  private final ExecutorService encoders;
  private final ExecutorService blockThreads;
  private final RowEncoding encoding;
  private final ThreadLocal<BlockPipeline> pipeline;

  /** The memory of all threads' rows. */
  private final List<RowMemory> memories = new CopyOnWriteArrayList<>();

  /**
   * The limits of cores and memory.
   *
   * @param threads number of cores
   * @param callers number of threads that transcode at once, at least 1; each keeps its share of
   *     the memory
   * @param memoryBytes direct memory for rows
   */
  public record Limits(int threads, int callers, long memoryBytes) {

    /**
     * Returns how many blocks of a group have rows in memory at a time: two if there are spare
     * cores.
     */
    public int blocksAtOnce() {
      return threads > callers ? 2 : 1;
    }
  }

  /**
   * @param store open for writing; not closed here
   */
  public Transcoder(Store store, WriteProfile profile, Limits limits) {
    this.store = store;
    this.profile = profile.inFormat(store.identity().formatVersion());
    cores = new Semaphore(limits.threads);
    encoders = Executors.newFixedThreadPool(limits.threads, Threads.named("kblake-encode-"));
    blockThreads = Executors.newCachedThreadPool(Threads.named("kblake-block-"));
    encoding = new RowEncoding(encoders, cores, limits.threads, this.profile);
    int blocks = limits.blocksAtOnce();
    long rowBytes = limits.memoryBytes / limits.callers / blocks;
    pipeline =
        ThreadLocal.withInitial(
            () ->
                new BlockPipeline(
                    Stream.generate(() -> new ScatteredRows(memory(rowBytes)))
                        .limit(blocks)
                        .toList(),
                    blockThreads,
                    cores));
  }

  private RowMemory memory(long bytes) {
    RowMemory memory = new RowMemory(bytes, store.directory());
    memories.add(memory);
    return memory;
  }

  /**
   * Makes the blocks of a plan.
   *
   * @param progress receives every block, and every read error
   * @throws IOException if the store cannot be written; blocks made before stay
   * @throws InterruptedException if interrupted; blocks made before stay
   */
  public void transcode(BackfillPlan plan, TranscodeListener progress)
      throws IOException, InterruptedException {
    new GroupBackfill(store, plan, profile, encoding, pipeline.get(), cores, progress).run();
  }

  /**
   * Stops all work, and returns when nothing is written any more. Threads that still transcode
   * fail.
   */
  @Override
  public void close() {
    blockThreads.shutdownNow();
    Threads.awaitEnd(blockThreads);
    encoders.shutdownNow();
    Threads.awaitEnd(encoders);
    memories.forEach(RowMemory::close);
  }
}
