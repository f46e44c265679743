package org.kblake.ingest.internal.compact;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.internal.store.block.RollupAddition;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockReplay;
import org.kblake.ingest.internal.image.MergedMetadata;
import org.kblake.ingest.internal.image.MergedPatch;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.rows.MergedRows;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowEncoding;
import org.kblake.ingest.internal.rows.RowMemory;

/**
 * Merges adjacent blocks of a group into one, or writes a single block again with another codec.
 * The new block is equal, byte for byte, to the one that a backfill of the whole span would make.
 *
 * <p>There are two passes. The first replays every block, and writes the patch. A block is merged
 * only if the SHA-256 of the bytes that it encodes equals that of its segments. The second pass
 * reads the rows from the chunks again, row group by row group, and encodes them in parallel. The
 * first pass needs memory for some segments, the second for some row groups. The size of the block
 * does not matter.
 *
 * <p>The new block is in use as soon as it has its name, because it has more segments or is newer.
 * Then the source blocks go to the trash. If the process ends in between, either the source blocks
 * or the new block are in use. Not thread safe.
 */
public final class Compaction {

  /** Receives the progress. */
  public interface Listener {
    /** Ignores the progress. */
    Listener NONE =
        new Listener() {
          @Override
          public void proved(Group group, long rawBytes) {}

          @Override
          public void committed(
              List<Block> merged, long mergedBytes, Block block, long storedBytes) {}

          @Override
          public void decided(Block before, Block block, long addedBytes, boolean kept) {}
        };

    /**
     * Receives the number of bytes of log that were encoded from the source blocks and verified
     * since the last call.
     */
    void proved(Group group, long rawBytes);

    /**
     * Receives a block that replaced others. It is durable and in use.
     *
     * @param mergedBytes bytes of the files of the replaced blocks
     * @param storedBytes bytes of its own files
     */
    void committed(List<Block> merged, long mergedBytes, Block block, long storedBytes);

    /**
     * Receives a new generation of a block without rollups, which differs in these alone. It is
     * durable and in use.
     *
     * @param addedBytes bytes of the file of rollups
     * @param kept whether it has rollups; otherwise it says that it keeps none
     */
    void decided(Block before, Block block, long addedBytes, boolean kept);
  }

  /** The limit of rows of a block. */
  static final long MAX_EVENTS = 1 << 30;

  private final Store store;
  private final List<LogLayout> layouts;
  private final CompactionSettings settings;
  private final Listener listener;
  private final RowMemory memory;
  private final ReaderPool readers;

  /**
   * @param store open for writing; not closed here
   * @param layouts the layouts that record tables may have
   */
  public Compaction(
      Store store, List<LogLayout> layouts, CompactionSettings settings, Listener listener) {
    this.store = store;
    this.layouts = List.copyOf(layouts);
    this.settings = settings;
    this.listener = listener;
    this.memory = new RowMemory(settings.memoryBytes(), store.directory());
    this.readers = new ReaderPool(settings.pace());
  }

  /**
   * Merges blocks.
   *
   * @param blocks blocks in use, of one group. Each begins where the previous one ends: in the same
   *     pair, or with the next pair if that pair was closed. A single block is written again
   * @param profile the profile of the new block's columns
   * @return the new block, in use
   * @throws CorruptBlockException if a block does not reproduce its log; all blocks stay
   * @throws NoSuchFileException if a block was removed in the meantime; the others stay
   * @throws InterruptedException if the calling thread is interrupted; no unfinished file is left
   * @throws IllegalArgumentException if the blocks do not adjoin, or are too large for one block
   */
  public Block run(List<Block> blocks, WriteProfile profile)
      throws IOException, InterruptedException {
    ExecutorService encoders =
        Executors.newFixedThreadPool(settings.threads(), Threads.named("kblake-compact-"));
    try {
      return merge(blocks, profile.inFormat(store.identity().formatVersion()), encoders);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      Thread.interrupted();
      InterruptedException stopped = new InterruptedException("compaction was stopped");
      stopped.initCause(e);
      throw stopped;
    } catch (CorruptBlockException e) {
      requireInUse(blocks);
      throw e;
    } finally {
      encoders.shutdownNow();
      Threads.awaitEnd(encoders);
    }
  }

  private Block merge(List<Block> blocks, WriteProfile profile, ExecutorService encoders)
      throws IOException, InterruptedException {
    Group group = blocks.get(0).group();
    MergedMetadata metadata = new MergedMetadata(group);
    MergedRows rows = new MergedRows(blocks, memory, settings.threads(), readers);
    try (BlockWriter writer = store.write(group, profile, settings.pace())) {
      long mergedBytes = 0;
      MergedPatch patch = new MergedPatch(writer.patch(), metadata, rows);
      for (int i = 0; i < blocks.size(); i++) {
        metadata.add(blocks.get(i));
        if (metadata.events() > MAX_EVENTS) {
          throw new IllegalArgumentException(
              "too many events for a block: events=" + metadata.events() + ", most=" + MAX_EVENTS);
        }
        patch.begin();
        mergedBytes += blocks.get(i).storedBytes();
        settings.pace().before(bytesOfMetadata(blocks.get(i)));
        verify(blocks.get(i), patch);
        rows.requireCounted(i);
      }
      new RowEncoding(encoders, new Semaphore(settings.threads()), settings.threads(), profile)
          .write(rows, rows.series(), writer);
      store.removals().lock();
      try {
        requireInUse(blocks);
        Block merged =
            writer.commit(
                metadata.summary(),
                metadata.segments(),
                metadata.pairs(),
                metadata.damage(),
                Store.nextGeneration(blocks));
        listener.committed(blocks, mergedBytes, merged, merged.storedBytes());
        for (Block block : blocks) {
          store.discard(block);
        }
        return merged;
      } finally {
        store.removals().unlock();
      }
    }
  }

  /**
   * Makes a new generation of a block, with rollups and with hard links to its files. If the block
   * keeps no rollups, the new one says so.
   *
   * @return the new block, in use
   * @throws CorruptBlockException if events cannot be read; the block stays
   * @throws NoSuchFileException if the block was removed in the meantime
   * @throws InterruptedException if the calling thread is interrupted; no unfinished file is left
   */
  public Block addRollups(Block block, WriteProfile profile)
      throws IOException, InterruptedException {
    settings.pace().before(block.storedBytes());
    try (RollupAddition addition = store.addRollups(block, settings.pace())) {
      boolean kept = addition.write(profile);
      store.removals().lock();
      try {
        requireInUse(List.of(block));
        Block made = addition.commit(Store.nextGeneration(List.of(block)));
        listener.proved(block.group(), block.summary().rawBytes());
        listener.decided(block, made, made.storedBytes() - block.storedBytes(), kept);
        store.discard(block);
        return made;
      } finally {
        store.removals().unlock();
      }
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      Thread.interrupted();
      InterruptedException stopped = new InterruptedException("compaction was stopped");
      stopped.initCause(e);
      throw stopped;
    }
  }

  /** Returns the bytes of a block outside of its Parquet files. */
  private static long bytesOfMetadata(Block block) throws IOException {
    long bytes = block.storedBytes();
    for (Path file : block.chunks().files()) {
      bytes -= Files.size(file);
    }
    return bytes;
  }

  private void verify(Block block, BlockReplay.Observer patch)
      throws IOException, InterruptedException {
    BlockReplay.Sink comparison =
        new BlockReplay.Sink() {
          @Override
          public void end(StoredSegment segment) {
            listener.proved(block.group(), segment.bytes());
          }
        };
    new BlockReplay(block, layouts, memory, readers, patch).run(comparison);
  }

  /**
   * Requires that all blocks still exist. Events of a block that was discarded in the meantime must
   * not be in the merged block.
   */
  private static void requireInUse(List<Block> blocks) throws NoSuchFileException {
    for (Block block : blocks) {
      if (block.isRemoved()) {
        throw new NoSuchFileException(
            block.directory().toString(), null, "block was replaced while it was merged");
      }
    }
  }
}
