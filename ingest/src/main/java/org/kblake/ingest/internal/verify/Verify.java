package org.kblake.ingest.internal.verify;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.LogPosition;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.block.StoredSegment;
import org.kblake.core.internal.store.block.Stretch;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.image.BlockOrigin;
import org.kblake.ingest.internal.image.BlockRecorder;
import org.kblake.ingest.internal.image.BlockReplay;
import org.kblake.ingest.internal.image.RawLog;
import org.kblake.ingest.internal.rows.ReaderPool;
import org.kblake.ingest.internal.rows.RowMemory;

/**
 * Proves blocks: their log bytes are written again from the columns and compared with the log, or,
 * if the log is missing, with its stored hashes.
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
   * @param discarded how many of these were put into the trash
   * @param rawBytes bytes of log written again
   * @param nanos how long it took
   */
  public record Summary(int blocks, int failed, int discarded, long rawBytes, long nanos) {}

  /** Without the log a wrong block is still the best there is. */
  private static final String REMEDY =
      "; if its log has not changed, make the block again with verify --discard and backfill";

  /** What a sound block has of a log that was changed may be all that is left of it. */
  private static final String LOG_CHANGED =
      "; the columns have the original hashes, so the log has changed: keep the block";

  private static final String MADE_AGAIN = "; make it again with backfill";
  private static final String DISCARDED = "; it is in the trash now: make it again with backfill";
  private static final String KEPT = "; it is kept, because ";
  private static final String HASHES_DECIDE = "; the stored hashes are compared";

  private final @Nullable Archive archive;
  private final Store store;
  private final List<LogLayout> layouts;
  private final RowMemory memory;
  private final ReaderPool readers = new ReaderPool(Pace.FREE);
  private final boolean discard;
  private final Listener listener;
  private final Set<Group> unreadable = new HashSet<>();
  private int failed;
  private int discarded;

  /**
   * @param archive null to compare with the stored hashes only
   * @param store open for writing if blocks are to be discarded
   * @param memoryBytes for rows
   * @param discard whether wrong blocks whose log is still as it was are put into the trash
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
    this.listener = listener;
  }

  /** Proves every block of these groups. */
  public Summary run(List<Group> groups) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int blocks = 0;
    long rawBytes = 0;
    long planned = 0;
    for (Group group : groups) {
      for (Block block : blocks(group, new ArrayList<>())) {
        planned += block.summary().rawBytes();
      }
    }
    listener.planned(planned);
    for (Group group : groups) {
      List<CorruptBlockException> unopened = new ArrayList<>();
      List<Block> inForce = blocks(group, unopened);
      blocks += inForce.size() + unopened.size();
      for (CorruptBlockException problem : unopened) {
        unopened(group, problem);
      }
      for (Block block : inForce) {
        rawBytes += block.summary().rawBytes();
        proveOrTell(block);
      }
    }
    return new Summary(blocks, failed, discarded, rawBytes, System.nanoTime() - begin);
  }

  /** Proves one block, with the memory of those before. */
  public Summary run(Block block) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int failedBefore = failed;
    int discardedBefore = discarded;
    prove(block);
    return new Summary(
        1,
        failed - failedBefore,
        discarded - discardedBefore,
        block.summary().rawBytes(),
        System.nanoTime() - begin);
  }

  /** The blocks of a group, or none where they cannot be read; that is reported once. */
  private List<Block> blocks(Group group, List<CorruptBlockException> unopened) throws IOException {
    try {
      return store.blocks(group, unopened::add);
    } catch (IOException e) {
      String why = BlockCheck.unreadable(e);
      if (unreadable.add(group)) {
        failed++;
        listener.failed(group, why);
      }
      return List.of();
    }
  }

  private void unopened(Group group, CorruptBlockException problem)
      throws IOException, InterruptedException {
    failed++;
    List<LogPosition> ends = Store.endsOf(problem);
    if (!discard || archive == null || ends.isEmpty()) {
      listener.failed(group, problem.getMessage() + MADE_AGAIN);
      return;
    }
    String kept = whyKept(archive, group, origin -> origin.whyKept(ends));
    if (kept == null) {
      store.discardDamaged(problem);
      discarded++;
    }
    listener.failed(group, problem.getMessage() + (kept == null ? DISCARDED : KEPT + kept));
  }

  private void wrong(Block block, String failure) throws IOException, InterruptedException {
    failed++;
    if (!discard || archive == null) {
      listener.failed(block.group(), failure + REMEDY);
      return;
    }
    String kept = whyKept(archive, block.group(), origin -> origin.whyKept(block));
    if (kept == null) {
      store.discard(block);
      discarded++;
    }
    listener.failed(block.group(), failure + (kept == null ? DISCARDED : KEPT + kept));
  }

  /** Why a block is better kept. */
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

  /** Proves a block of many: a block that cannot be read does not stop the others. */
  private void proveOrTell(Block block) throws IOException, InterruptedException {
    try {
      prove(block);
    } catch (StoreWriteException | ClosedByInterruptException | InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      if (!Files.notExists(block.directory())) {
        failed++;
        listener.failed(
            block.group(), "block cannot be read: block=" + block + ", " + e + "; check its disk");
      } else {
        listener.note(block.group(), "block was removed before it was verified: block=" + block);
      }
    }
  }

  private void prove(Block block) throws IOException, InterruptedException {
    try (Comparison comparison = new Comparison(block)) {
      new BlockReplay(block, layouts, memory, readers).run(comparison);
      String failure = comparison.failure;
      if (failure != null) {
        if (comparison.logChanged || comparison.anotherPair) {
          failed++;
          listener.failed(
              block.group(), failure + (comparison.logChanged ? LOG_CHANGED : MADE_AGAIN));
        } else {
          wrong(block, failure);
        }
        return;
      }
      // What the replay had no need of: a reader of Parquet has, and so has restore.
      block.check();
      listener.sound(block, comparison.againstLog);
    } catch (CorruptBlockException e) {
      wrong(block, String.valueOf(e.getMessage()));
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

    /** Whether the columns have all hashes that were taken of the log, and the log has not. */
    private boolean logChanged;

    /** Whether the block is none of this archive's any more. */
    private boolean anotherPair;

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
        ByteBuffer there = read(present, at, length);
        if (there == null) {
          return;
        }
        int different = there.mismatch(left.slice(left.position(), length));
        if (different >= 0) {
          failure = difference(segment, at + different);
          logChanged = true;
          return;
        }
        left.position(left.position() + length);
        at += length;
      }
    }

    /** The log's bytes; null if it cannot be read any more. */
    private @Nullable ByteBuffer read(RawLog present, long at, int length) throws IOException {
      try {
        return present.read(at, length, piece);
      } catch (UnavailableException e) {
        listener.note(block.group(), e.getMessage() + HASHES_DECIDE);
        againstLog = false;
        close();
        return null;
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
          + (of == null ? "unknown" : eventAt(of, segment, offset));
    }

    private static String eventAt(PairLog log, StoredSegment segment, long offset)
        throws IOException {
      try {
        return RawLog.eventAt(log, segment, offset);
      } catch (UnavailableException e) {
        return "unknown, because the log cannot be read any more";
      }
    }

    @Override
    public void end(StoredSegment segment) {
      byte[] hash = sha256.digest();
      boolean same = Arrays.equals(hash, segment.sha256());
      logChanged &= same;
      if (failure == null && !same) {
        failure =
            "columns do not reproduce the log: block="
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
            anotherPair = true;
            failure =
                "block is of another pair than the archive's: block=" + block + ", pair=" + pair;
            return;
          }
        }
        listener.note(
            block.group(),
            "log is missing: pair=" + of.stamp() + ", the stored hashes are compared");
      } catch (UnavailableException
          | PendingPairException
          | CorruptLogException
          | TooNewException e) {
        listener.note(block.group(), e.getMessage() + HASHES_DECIDE);
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
