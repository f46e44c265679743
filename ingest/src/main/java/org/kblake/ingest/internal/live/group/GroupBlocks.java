package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.Coverage;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.Problems;

/**
 * The blocks of one group that are in use, as they were listed last. For one thread at a time,
 * except {@link #all}, {@link #isListed}, {@link #isStale}, {@link #setStale} and {@link
 * #provedOffset}.
 */
final class GroupBlocks {

  private final Store store;
  private final EvictedSpans evicted;
  private final Problems problems;
  private final Group group;

  private volatile List<Block> blocks = List.of();
  private volatile boolean listed;

  /** True if the blocks in use are no longer {@link #blocks}. */
  private volatile boolean stale;

  private Coverage coverage = new Coverage(List.of());
  private BlockTotals totals = BlockTotals.NONE;
  private final Map<Path, Long> blockBytes = new HashMap<>();

  GroupBlocks(Store store, EvictedSpans evicted, Problems problems, Group group) {
    this.store = store;
    this.evicted = evicted;
    this.problems = problems;
    this.group = group;
  }

  /** Returns the blocks, in log order. Before the first listing there are none. */
  List<Block> all() {
    return blocks;
  }

  /** Returns whether the blocks were listed. */
  boolean isListed() {
    return listed;
  }

  /** Returns whether the blocks have to be listed, for the first time or again. */
  boolean isStale() {
    return !listed || stale;
  }

  void setStale() {
    stale = true;
  }

  /**
   * Returns whether the blocks have to be listed, which the caller does. Only a mark that it
   * returns is taken: {@link #setStale} may set another one at any moment.
   */
  boolean takeStale() {
    if (!isStale()) {
      return false;
    }
    stale = false;
    return true;
  }

  Coverage coverage() {
    return coverage;
  }

  /** Returns the coverage with what was evicted. */
  Coverage withEvicted() {
    return evicted.with(group, blocks, coverage);
  }

  BlockTotals totals() {
    return totals;
  }

  /** Lists the blocks again, and reports damaged ones. */
  void list() throws IOException {
    Map<String, String> damaged = new LinkedHashMap<>();
    blocks =
        store.blocks(
            group,
            problem ->
                damaged.put(problem.file().toString(), String.valueOf(problem.getMessage())));
    problems.setOfStore(group, "block ", damaged);
    coverage = Block.coverage(blocks);
    listed = true;
    for (LogSpan old : evicted.spans(group)) {
      for (LogSpan held : coverage.held(old.stamp(), old.fromOffset(), old.toOffset())) {
        evicted.remove(group, held);
      }
    }
    totals = BlockTotals.of(blocks, blockBytes);
  }

  /** Returns the size of the next block. */
  SealSize sealSize(int sealEvents) throws IOException {
    try {
      return SealSize.of(blocks, sealEvents);
    } catch (CorruptBlockException | NoSuchFileException e) {
      // The listing or the verification of blocks reports the error.
      return SealSize.ANY;
    }
  }

  /**
   * Returns the offset up to which a pair is without a gap in what was evicted, and in blocks that
   * were compared with its log after they were made.
   */
  long provedOffset(String stamp, RecheckQueue compared) throws IOException {
    List<LogSpan> spans = new ArrayList<>(evicted.spans(group));
    for (Block block : blocks) {
      if (block.spans().stream().anyMatch(each -> each.stamp().equals(stamp))
          && compared.isProved(block)) {
        spans.addAll(block.spans());
      }
    }
    spans.removeIf(each -> !each.stamp().equals(stamp));
    spans.sort(Comparator.comparingLong(LogSpan::fromOffset));
    long offset = 0;
    for (LogSpan span : spans) {
      if (span.fromOffset() > offset) {
        break;
      }
      offset = Math.max(offset, span.toOffset());
    }
    return offset;
  }
}
