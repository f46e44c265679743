package org.kblake.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.log.Archive;
import org.kblake.core.log.CorruptLogException;
import org.kblake.core.log.LogLayout;
import org.kblake.core.log.Pair;
import org.kblake.core.log.PairLog;
import org.kblake.core.log.PendingPairException;
import org.kblake.core.log.UnavailableException;
import org.kblake.core.model.Group;
import org.kblake.core.store.Block;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.PairIdentity;
import org.kblake.core.store.Store;
import org.kblake.core.store.StoredSegment;
import org.kblake.core.store.Stretch;

/**
 * Proves blocks: their log bytes are written again from the columns and compared with the log, or,
 * where the log is gone, with the hashes that were taken of it.
 */
public final class Verify {

  /** Hears how it goes. */
  public interface Listener {
    /** What is to be done. */
    void planned(long rawBytes);

    /** So many more bytes of log were written again and are right. */
    void proved(Group group, long rawBytes);

    /** A block is what its log is. */
    void sound(Block block, boolean againstLog);

    /** A block, or a part of the store, is not what it must be. */
    void failed(Group group, String message);

    /** Something that keeps a block from being compared with its log, but is no fault of it. */
    void note(Group group, String message);
  }

  /**
   * What was found.
   *
   * @param blocks blocks looked at
   * @param failed how many of them are not what they must be
   * @param rawBytes bytes of log written again
   * @param nanos how long it took
   */
  public record Summary(int blocks, int failed, long rawBytes, long nanos) {}

  /** Without the log a wrong block is still the best there is. */
  private static final String REMEDY =
      "; if its log is still there, delete the block's directory and backfill again";

  private final @Nullable Archive archive;
  private final Store store;
  private final List<LogLayout> layouts;
  private final RowMemory memory;
  private final Listener listener;

  /**
   * @param archive null to compare with the stored hashes only
   * @param memoryBytes for rows
   */
  public Verify(
      @Nullable Archive archive,
      Store store,
      List<LogLayout> layouts,
      long memoryBytes,
      Listener listener) {
    this.archive = archive;
    this.store = store;
    this.layouts = layouts;
    this.memory = new RowMemory(memoryBytes, store.directory());
    this.listener = listener;
  }

  /** Proves every block of these groups. */
  public Summary run(List<Group> groups) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int blocks = 0;
    int failed = 0;
    long rawBytes = 0;
    long planned = 0;
    for (Group group : groups) {
      planned +=
          store.blocks(group, problem -> {}).stream()
              .mapToLong(block -> block.facts().rawBytes())
              .sum();
    }
    listener.planned(planned);
    for (Group group : groups) {
      int[] unreadable = {0};
      List<Block> inForce =
          store.blocks(
              group,
              problem -> {
                unreadable[0]++;
                listener.failed(group, problem.getMessage() + "; backfill makes it again");
              });
      blocks += inForce.size() + unreadable[0];
      failed += unreadable[0];
      for (Block block : inForce) {
        rawBytes += block.facts().rawBytes();
        if (!prove(block)) {
          failed++;
        }
      }
    }
    return new Summary(blocks, failed, rawBytes, System.nanoTime() - begin);
  }

  private boolean prove(Block block) throws IOException, InterruptedException {
    try (Comparison comparison = new Comparison(block)) {
      new BlockReplay(block, layouts, memory).run(comparison);
      String failure = comparison.failure;
      if (failure != null) {
        listener.failed(block.group(), failure + REMEDY);
        return false;
      }
      // What the replay had no need of: a reader of Parquet has, and so has restore.
      block.check();
      listener.sound(block, comparison.againstLog);
      return true;
    } catch (CorruptBlockException e) {
      listener.failed(block.group(), e.getMessage() + REMEDY);
      return false;
    }
  }

  /** Compares what is written again, piece by piece. */
  private final class Comparison implements BlockReplay.Sink, AutoCloseable {
    private final Block block;
    private final MessageDigest sha256 = BlockRecorder.newSha256();
    private final byte[] piece = new byte[1 << 16];
    private int stretch = -1;
    private @Nullable PairLog log;
    private @Nullable RawLog raw;
    private boolean againstLog = true;
    private @Nullable String failure;

    Comparison(Block block) {
      this.block = block;
    }

    @Override
    public void bytes(StoredSegment segment, long offset, ByteBuffer bytes) throws IOException {
      sha256.update(bytes.duplicate());
      if (segment.stretch() != stretch) {
        openLog(segment.stretch());
      }
      RawLog present = raw;
      if (present == null || failure != null) {
        return;
      }
      ByteBuffer left = bytes.duplicate();
      long at = offset;
      while (left.hasRemaining()) {
        int length = Math.min(piece.length, left.remaining());
        ByteBuffer there = present.read(at, length, piece);
        int different = there.mismatch(left.slice(left.position(), length));
        if (different >= 0) {
          failure = difference(segment, at + different);
          return;
        }
        left.position(left.position() + length);
        at += length;
      }
    }

    private String difference(StoredSegment segment, long offset) throws IOException {
      PairLog of = log;
      return "columns differ from the log: block="
          + block
          + ", log="
          + (of == null ? "" : of.pair().logPath())
          + ", offset="
          + offset
          + ", event="
          + (of == null ? "unknown" : RawLog.eventAt(of, segment, offset));
    }

    @Override
    public void end(StoredSegment segment) {
      byte[] hash = sha256.digest();
      if (failure == null && !Arrays.equals(hash, segment.sha256())) {
        failure =
            "columns do not give back the log: block="
                + block
                + ", segment at offset="
                + segment.startOffset()
                + ", found another SHA-256 than the log's";
      }
      if (failure == null) {
        listener.proved(block.group(), segment.bytes());
      }
    }

    /** Without the log the hashes alone decide. */
    private void openLog(int wanted) throws IOException {
      close();
      stretch = wanted;
      Stretch of = block.stretches().get(wanted);
      Archive from = archive;
      if (from == null) {
        againstLog = false;
        return;
      }
      try {
        for (Pair pair : from.pairs(block.group())) {
          if (pair.stamp().equals(of.stamp())) {
            PairLog opened = pair.open();
            if (block.isOf(wanted, PairIdentity.of(opened))) {
              log = opened;
              raw = new RawLog(opened);
              return;
            }
            failure =
                "block is of another pair than the archive's: block=" + block + ", pair=" + pair;
            return;
          }
        }
        listener.note(block.group(), "log is gone: pair=" + of.stamp() + ", hashes decide");
      } catch (UnavailableException | PendingPairException | CorruptLogException e) {
        listener.note(block.group(), e.getMessage() + "; hashes decide");
      }
      againstLog = false;
    }

    @Override
    public void close() throws IOException {
      RawLog open = raw;
      raw = null;
      log = null;
      if (open != null) {
        open.close();
      }
    }
  }
}
