package org.kblake.ingest.internal.image;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.internal.store.file.StoreWriteException;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

/**
 * Checks a group's blocks before more are made. A damaged block, or a block of a pair that was
 * replaced, goes to the trash, so that its span is made again. A damaged block stays if its log is
 * missing or unavailable.
 */
public final class BlockCheck {

  /** The rest of a damaged block may be the only copy of its events. */
  private static final String KEPT = "; it is kept, because its log cannot be read";

  private static final String MADE_AGAIN = "; it will be made again";

  private BlockCheck() {}

  /**
   * Returns the report of a group whose blocks could not be read. The work on other groups can
   * continue.
   *
   * @throws IOException the same error if it concerns all groups: the store cannot be written, or
   *     the work was interrupted
   */
  public static String unreadable(IOException e) throws IOException {
    if (e instanceof StoreWriteException
        || e instanceof InterruptedIOException
        || e instanceof ClosedByInterruptException) {
      throw e;
    }
    return e instanceof UnavailableException
        ? String.valueOf(e.getMessage())
        : "blocks cannot be read: " + e + "; check the store's disk";
  }

  /**
   * Checks the blocks of a group, and returns the coverage of those that stay.
   *
   * @param snapshots the snapshots of opened pairs
   * @throws UnavailableException if the archive's pairs cannot be listed; no block was checked then
   */
  public static Coverage coverage(
      Archive archive,
      Store store,
      Group group,
      PairSnapshots snapshots,
      BiConsumer<Group, String> problems)
      throws IOException {
    List<CorruptBlockException> damaged = new ArrayList<>();
    List<Block> listed = store.blocks(group, damaged::add);
    if (listed.isEmpty() && damaged.isEmpty()) {
      return Block.coverage(listed);
    }
    List<Block> blocks = new ArrayList<>();
    List<Pair> pairs = BlockOrigin.pairs(archive, group);
    BlockOrigin origin = new BlockOrigin(archive, pairs, snapshots);
    for (Block block : listed) {
      try {
        block.chunks().files();
        blocks.add(block);
      } catch (CorruptBlockException e) {
        if (block.isRemoved()) {
          // It was merged or evicted meanwhile.
          continue;
        }
        if (origin.reaches(block)) {
          damaged.add(e);
        } else {
          problems.accept(group, e.getMessage() + KEPT);
          blocks.add(block);
        }
      }
    }
    for (CorruptBlockException problem : damaged) {
      if (origin.reaches(Store.endsOf(problem))) {
        problems.accept(group, problem.getMessage() + MADE_AGAIN);
        store.discardDamaged(problem);
      } else {
        problems.accept(group, problem.getMessage() + KEPT);
      }
    }
    Set<Block> ofShorterLogs = new LinkedHashSet<>();
    for (Pair pair : pairs) {
      for (Block block : ofOtherPair(pair, blocks, snapshots, ofShorterLogs)) {
        problems.accept(
            group,
            "block is of another pair than the archive's: block="
                + block
                + ", pair="
                + pair
                + MADE_AGAIN);
        store.discard(block);
        blocks.remove(block);
      }
    }
    ofShorterLogs.retainAll(blocks);
    for (Block block : ofShorterLogs) {
      boolean same =
          new LogComparison(archive).compareBytes(block).result() == LogComparison.Result.SAME;
      problems.accept(
          group,
          "block was made of a shorter log: block="
              + block
              + (same ? MADE_AGAIN : "; it is kept, because its log has changed"));
      if (same) {
        store.discard(block);
        blocks.remove(block);
      }
    }
    return Block.coverage(blocks);
  }

  /**
   * Returns the blocks that were made of another pair of the same name. A pair that cannot be read
   * may be the same, so its blocks stay.
   *
   * @param ofShorterLogs receives the blocks that end inside a segment of the log: it had lost its
   *     end when they were made, and is longer now. Readers ignore them
   */
  private static List<Block> ofOtherPair(
      Pair pair, List<Block> blocks, PairSnapshots snapshots, Set<Block> ofShorterLogs)
      throws IOException {
    List<Block> found = new ArrayList<>();
    PairIdentity identity = null;
    PairLog log = null;
    try {
      for (Block block : blocks) {
        boolean another = false;
        for (int i = 0; i < block.spans().size() && !another; i++) {
          LogSpan span = block.spans().get(i);
          if (span.stamp().equals(pair.stamp())) {
            log = log == null ? snapshots.open(pair) : log;
            identity = identity == null ? PairIdentity.of(log) : identity;
            another = !block.isOf(i, identity);
            if (!another && endsInside(log, span.toOffset())) {
              ofShorterLogs.add(block);
            }
          }
        }
        if (another) {
          found.add(block);
        }
      }
    } catch (UnavailableException
        | PendingPairException
        | CorruptLogException
        | TooNewException e) {
      return List.of();
    }
    return found;
  }

  private static boolean endsInside(PairLog log, long offset) {
    return log.closed() && offset < log.logBytes() && log.milestones().indexOfOffset(offset) < 0;
  }
}
