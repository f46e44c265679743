package org.kblake.ingest.internal.live.group;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.kblake.core.internal.store.block.Block;
import org.kblake.ingest.internal.live.state.BytesPerDay;

/**
 * The totals of a group's blocks.
 *
 * @param blocks number of blocks
 * @param rawBytes bytes of log that they hold
 * @param storedBytes bytes of their files
 * @param newestNanos time of the newest event in them; {@link Long#MIN_VALUE} if there is none
 * @param bytesPerDay stored bytes per day, mean of the last week
 */
public record BlockTotals(
    int blocks, long rawBytes, long storedBytes, long newestNanos, double bytesPerDay) {

  static final BlockTotals NONE = new BlockTotals(0, 0, 0, Long.MIN_VALUE, 0);

  /**
   * Adds up blocks.
   *
   * @param known sizes of known blocks, by directory; afterwards it contains the sizes of these
   *     blocks
   */
  public static BlockTotals of(List<Block> blocks, Map<Path, Long> known) throws IOException {
    long rawBytes = 0;
    long storedBytes = 0;
    long newest = Long.MIN_VALUE;
    Map<Path, Long> sizes = new HashMap<>();
    for (Block block : blocks) {
      Long size = known.get(block.directory());
      long bytes = size == null ? sizeOf(block) : size;
      sizes.put(block.directory(), bytes);
      rawBytes += block.summary().rawBytes();
      storedBytes += bytes;
      newest = Math.max(newest, block.summary().lastNanos());
    }
    known.clear();
    known.putAll(sizes);
    return new BlockTotals(
        blocks.size(), rawBytes, storedBytes, newest, bytesPerDay(blocks, sizes, newest));
  }

  /** Returns the bytes of a block's files; 0 if it was merged or evicted after the listing. */
  private static long sizeOf(Block block) throws IOException {
    try {
      return block.storedBytes();
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  private static double bytesPerDay(List<Block> blocks, Map<Path, Long> sizes, long newest) {
    BytesPerDay week = new BytesPerDay(newest);
    for (Block block : blocks) {
      week.add(
          sizes.getOrDefault(block.directory(), 0L),
          block.summary().firstNanos(),
          block.summary().lastNanos());
    }
    return week.bytesPerDay();
  }
}
