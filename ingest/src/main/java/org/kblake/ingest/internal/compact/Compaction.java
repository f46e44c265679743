package org.kblake.ingest.internal.compact;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockWriter;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockRecorder;
import org.kblake.ingest.internal.image.BlockReplay;
import org.kblake.ingest.internal.image.MergedAccount;
import org.kblake.ingest.internal.image.MergedPatch;
import org.kblake.ingest.internal.pace.Threads;
import org.kblake.ingest.internal.rows.MergedRows;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowEncoding;
import org.kblake.ingest.internal.rows.RowMemory;

/**
 * Merges adjoining blocks of a group into one, or writes a single one again under another codec.
 * The new block is what a backfill of the same stretch would have made at once, byte for byte.
 *
 * <p>It goes in two passes. First every block is replayed: only if it gives back the bytes of its
 * segments, by the SHA-256 that was taken of them in the log, is it merged; the patch is written
 * meanwhile. Then rows are read from the blocks' chunks again, row group by row group, and encoded
 * in parallel. Memory holds a window of segments in the one pass and row groups in the other,
 * however large the block becomes.
 *
 * <p>The new block is in use from the moment that it has its name, because it holds more, or is
 * newer; afterwards the others go to the trash. Whenever this ends in between, either they or the
 * new block count. Not thread safe.
 */
public final class Compaction {

  /** Hears how it goes. */
  public interface Listener {
    /** Hears nothing. */
    Listener NONE =
        new Listener() {
          @Override
          public void proved(Group group, long rawBytes) {}

          @Override
          public void committed(
              List<Block> merged, long mergedBytes, Block block, long storedBytes) {}
        };

    /** So many more bytes of log were given back by the blocks that are to be merged. */
    void proved(Group group, long rawBytes);

    /**
     * A block is in use, durable, in place of others.
     *
     * @param mergedBytes of the files of the others
     * @param storedBytes of its own files
     */
    void committed(List<Block> merged, long mergedBytes, Block block, long storedBytes);
  }

  /** Rows of a block at most. */
  static final long MOST_EVENTS = 1 << 30;

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
   * @param blocks in use, of one group, each beginning where the one before ends: in the same pair,
   *     or with the next one where that pair was closed. One alone is written again
   * @param profile how the new block's columns are written
   * @return the new block, in use
   * @throws CorruptBlockException naming a block that does not give its bytes back; all stay
   * @throws NoSuchFileException if one of them went out of use meanwhile; the others stay
   * @throws InterruptedException if the calling thread is interrupted; nothing unfinished is left
   * @throws IllegalArgumentException if the blocks do not adjoin, or are too large for one
   */
  public Block run(List<Block> blocks, WriteProfile profile)
      throws IOException, InterruptedException {
    ExecutorService encoders =
        Executors.newFixedThreadPool(settings.threads(), Threads.named("kblake-compact-"));
    try {
      return merge(blocks, profile, encoders);
    } catch (InterruptedIOException | ClosedByInterruptException e) {
      Thread.interrupted();
      InterruptedException stopped = new InterruptedException("compaction was stopped");
      stopped.initCause(e);
      throw stopped;
    } catch (CorruptBlockException e) {
      requireInForce(blocks);
      throw e;
    } finally {
      encoders.shutdownNow();
      Threads.awaitEnd(encoders);
    }
  }

  private Block merge(List<Block> blocks, WriteProfile profile, ExecutorService encoders)
      throws IOException, InterruptedException {
    Group group = blocks.get(0).group();
    MergedAccount account = new MergedAccount(group);
    MergedRows rows = new MergedRows(blocks, memory, settings.threads(), readers);
    try (BlockWriter writer = store.write(group, profile, settings.pace())) {
      long mergedBytes = 0;
      MergedPatch patch = new MergedPatch(writer.patch(), account, rows);
      for (int i = 0; i < blocks.size(); i++) {
        account.add(blocks.get(i));
        if (account.events() > MOST_EVENTS) {
          throw new IllegalArgumentException(
              "too many events for a block: events=" + account.events() + ", most=" + MOST_EVENTS);
        }
        patch.begin();
        mergedBytes += blocks.get(i).storedBytes();
        settings.pace().before(bytesOfAccount(blocks.get(i)));
        prove(blocks.get(i), patch);
        rows.requireCounted(i);
      }
      new RowEncoding(encoders, new Semaphore(settings.threads()), settings.threads(), profile)
          .write(rows, rows.series(), writer);
      requireInForce(blocks);
      Block merged =
          writer.commit(
              account.summary(),
              account.segments(),
              account.pairs(),
              account.damage(),
              Store.nextGeneration(blocks));
      listener.committed(blocks, mergedBytes, merged, merged.storedBytes());
      for (Block block : blocks) {
        store.discard(block);
      }
      return merged;
    }
  }

  /** Bytes of a block that are not read page by page. */
  private static long bytesOfAccount(Block block) throws IOException {
    long bytes = block.storedBytes();
    for (Path file : block.chunks().files()) {
      bytes -= Files.size(file);
    }
    return bytes;
  }

  private void prove(Block block, BlockReplay.Observer patch)
      throws IOException, InterruptedException {
    MessageDigest sha256 = BlockRecorder.newSha256();
    BlockReplay.Sink proof =
        new BlockReplay.Sink() {
          @Override
          public void bytes(StoredSegment segment, long offset, ByteBuffer bytes) {
            sha256.update(bytes.duplicate());
          }

          @Override
          public void end(StoredSegment segment) throws IOException {
            if (!Arrays.equals(sha256.digest(), segment.sha256())) {
              throw new CorruptBlockException(
                  block.directory(),
                  segment.startOffset(),
                  "bytes with another SHA-256",
                  "those of the log");
            }
            listener.proved(block.group(), segment.bytes());
          }
        };
    new BlockReplay(block, layouts, memory, readers, patch).run(proof);
  }

  /** What somebody took out of use meanwhile must not come back. */
  private static void requireInForce(List<Block> blocks) throws NoSuchFileException {
    for (Block block : blocks) {
      if (Files.notExists(block.directory())) {
        throw new NoSuchFileException(
            block.directory().toString(), null, "block was replaced while it was merged");
      }
    }
  }
}
