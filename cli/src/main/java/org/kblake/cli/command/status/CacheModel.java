package org.kblake.cli.command.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.kblake.cli.command.status.ModelBlocks.ModelBlock;
import org.kblake.cli.command.status.ModelBlocks.ReadBytes;
import org.kblake.core.internal.store.access.Access;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;

/**
 * A model of a store with a budget, as {@code kblake run} keeps it, without files. Blocks of log
 * are added as the logs grow, or after they were read. They are removed in the order of eviction.
 */
final class CacheModel {

  /** A single read that would take a larger share of the budget is not put into columns. */
  private static final double LARGEST_ADMISSION_SHARE = 0.25;

  /** The rest of the budget is for the result of a merge. */
  private static final double SHARE_OF_BLOCKS = 0.9;

  private final ModelBlocks blocks;
  private final double budgetBytes;
  private final Eviction eviction;
  private final long freshMillis;
  private final TreeMap<Long, Integer> heldByRank = new TreeMap<>();
  private final Map<Integer, Long> ranks = new HashMap<>();
  private double storedBytes;
  private double readBytes;
  private double hitBytes;
  private long reads;
  private int begun;

  /**
   * @param freshMillis log that is younger is not in columns yet if it was read from the log
   */
  CacheModel(ModelBlocks blocks, long budgetBytes, Eviction eviction, long freshMillis) {
    this.blocks = blocks;
    this.budgetBytes = budgetBytes;
    this.eviction = eviction;
    this.freshMillis = freshMillis;
  }

  /** Returns the budget that holds columns of all logs. */
  static long wholeBudgetBytes(ModelBlocks blocks) {
    return (long) Math.ceil(blocks.storedBytes() / SHARE_OF_BLOCKS);
  }

  /** Returns the share of the read log that the store has, 0 to 1. It is 0 without a read. */
  double hitRatio(List<Access> accesses) {
    accesses.forEach(this::read);
    return readBytes == 0 ? 0 : hitBytes / readBytes;
  }

  private void read(Access access) {
    List<ModelBlock> all = blocks.all();
    for (; begun < all.size() && all.get(begun).beginMillis() <= access.atMillis(); begun++) {
      if (all.get(begun).log().mode() == Mode.FOLLOW) {
        put(begun);
      }
    }
    List<ReadBytes> met = blocks.read(access);
    if (met.isEmpty()) {
      return;
    }
    double span = 0;
    double held = 0;
    List<Integer> missing = new ArrayList<>();
    for (ReadBytes each : met) {
      span += each.bytes();
      if (ranks.containsKey(each.block())) {
        held += each.bytes();
        put(each.block());
      } else {
        missing.add(each.block());
      }
    }
    double bytes = Math.min((double) access.logBytes(), span);
    readBytes += bytes;
    hitBytes += isFresh(access, met.get(0)) ? 0 : bytes * held / span;
    admit(missing, bytes);
  }

  /** Returns whether an access read log that no budget would have had in columns. */
  private boolean isFresh(Access access, ReadBytes first) {
    long millis = blocks.all().get(first.block()).log().millisAt(first.fromOffset());
    return !access.fromColumns() && access.atMillis() - millis < freshMillis;
  }

  private void admit(List<Integer> missing, double logBytes) {
    for (int block : missing) {
      ModelBlock read = blocks.all().get(block);
      boolean wanted =
          switch (read.log().mode()) {
            case FOLLOW -> block < begun && eviction == Eviction.LEAST_RECENTLY_USED;
            case ON_READ -> true;
            case NEVER -> false;
          };
      if (wanted && logBytes * read.log().storedShare() <= budgetBytes * LARGEST_ADMISSION_SHARE) {
        put(block);
      }
    }
  }

  /**
   * Adds a block, or notes that it was read. Blocks of the lowest rank are removed until it fits.
   */
  private void put(int block) {
    long rank = eviction == Eviction.OLDEST ? block : ++reads;
    Long before = ranks.put(block, rank);
    if (before == null) {
      storedBytes += blocks.all().get(block).storedBytes();
    } else {
      heldByRank.remove(before);
    }
    heldByRank.put(rank, block);
    while (storedBytes > budgetBytes * SHARE_OF_BLOCKS) {
      int evicted = heldByRank.pollFirstEntry().getValue();
      ranks.remove(evicted);
      storedBytes -= blocks.all().get(evicted).storedBytes();
    }
  }
}
