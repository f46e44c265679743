package org.kblake.query.internal.rollup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FirstFailure;
import org.kblake.core.internal.store.chunk.Chunk;
import org.kblake.core.internal.store.rollup.RollupColumn;
import org.kblake.core.internal.store.rollup.RollupFile;
import org.kblake.core.internal.store.rollup.RollupRows;
import org.kblake.core.internal.store.rollup.RollupTable;
import org.kblake.query.question.Aggregate;

/**
 * The rollups of a block. A block without rollups, or with a file that cannot be read, has none:
 * the events take their place.
 */
public final class BlockRollups implements Closeable {

  static final int PAGE_ROWS = 4096;

  private static final Set<RollupColumn> HELD =
      Set.of(
          RollupColumn.STATES,
          RollupColumn.FIRST,
          RollupColumn.FIRST_TIME,
          RollupColumn.LAST,
          RollupColumn.LAST_TIME,
          RollupColumn.MIN,
          RollupColumn.MAX,
          RollupColumn.INTEGRAL,
          RollupColumn.KNOWN);

  /**
   * The number of events that are read for a range beside its own. Less for small blocks in tests.
   */
  private static volatile int pageRows = PAGE_ROWS;

  private final BlockRanges blockRanges;
  private final Set<RollupColumn> columns;
  private @Nullable RollupFile file;

  /** The chunks of the block by channel, if many channels are looked up. */
  private @Nullable Map<String, List<Chunk>> chunks;

  private final boolean many;

  /**
   * @param columns the columns that are read
   */
  private BlockRollups(
      BlockRanges blockRanges, Set<RollupColumn> columns, boolean many, @Nullable RollupFile file) {
    this.many = many;
    this.blockRanges = blockRanges;
    this.columns = columns;
    this.file = file;
  }

  static void setPageRows(int rows) {
    pageRows = rows;
  }

  /**
   * Opens the rollups of a block.
   *
   * @param channels the number of channels that are looked up
   */
  public static BlockRollups open(BlockRanges blockRanges, Set<RollupColumn> columns, int channels)
      throws IOException {
    RollupFile file = null;
    boolean many = false;
    try {
      many = blockRanges.block().chunks().areMany(channels);
      file = RollupFile.open(blockRanges.block().directory(), blockRanges.block().checksum());
      if (many) {
        file.loadDirectory();
      }
      return new BlockRollups(blockRanges, columns, many, file);
    } catch (ClosedByInterruptException e) {
      FirstFailure.close(e, file);
      throw e;
    } catch (IOException e) {
      FirstFailure.close(e, file);
      return new BlockRollups(blockRanges, columns, many, null);
    }
  }

  private List<Chunk> chunks(String channel) throws IOException {
    if (!many) {
      return blockRanges.block().chunks().find(channel);
    }
    Map<String, List<Chunk>> known = chunks;
    if (known == null) {
      known = new HashMap<>();
      for (Chunk chunk : blockRanges.block().chunks().all()) {
        known.computeIfAbsent(chunk.channel(), any -> new ArrayList<>(1)).add(chunk);
      }
      chunks = known;
    }
    return known.getOrDefault(channel, List.of());
  }

  /** Returns the columns from which aggregates are computed. */
  public static Set<RollupColumn> columns(List<Aggregate> aggregates) {
    Set<RollupColumn> columns =
        EnumSet.of(
            RollupColumn.BIN,
            RollupColumn.COUNT,
            RollupColumn.NAN,
            RollupColumn.FIRST_SEGMENT,
            RollupColumn.LAST_SEGMENT,
            RollupColumn.FIRST_PLACE,
            RollupColumn.LAST_PLACE);
    for (Aggregate aggregate : aggregates) {
      columns.addAll(
          switch (aggregate) {
            case COUNT, NAN -> Set.of();
            case SEVERITY -> Set.of(RollupColumn.SEVERITY);
            case FIRST -> Set.of(RollupColumn.FIRST);
            case FIRST_TIME -> Set.of(RollupColumn.FIRST_TIME);
            case LAST -> Set.of(RollupColumn.LAST);
            case LAST_TIME -> Set.of(RollupColumn.LAST_TIME);
            case MIN -> Set.of(RollupColumn.MIN);
            case MIN_TIME -> Set.of(RollupColumn.MIN, RollupColumn.MIN_TIME);
            case MAX -> Set.of(RollupColumn.MAX);
            case MAX_TIME -> Set.of(RollupColumn.MAX, RollupColumn.MAX_TIME);
            case MEAN -> Set.of(RollupColumn.MIN, RollupColumn.MAX, RollupColumn.MEAN);
            case STD ->
                Set.of(
                    RollupColumn.MIN, RollupColumn.MAX, RollupColumn.MEAN, RollupColumn.DEVIATION);
            case TIME_MEAN, KNOWN -> HELD;
          });
    }
    return columns;
  }

  /**
   * Returns the ranges of a channel.
   *
   * @return null if all events are read
   */
  public @Nullable RollupRanges find(String channel, RollupRanges.Bins bins) throws IOException {
    return find(channel, bins, Long.MAX_VALUE, rows -> null);
  }

  /**
   * Returns the ranges of a channel whose held values are wanted, in log order.
   *
   * @param lookBackNanos the greatest age of a held value
   * @param startKey the key in log order of the segment with the event that decides about the value
   *     at the begin of the bins
   * @return null if all events are read
   */
  public @Nullable RollupRanges findHeld(
      String channel, RollupRanges.Bins bins, long lookBackNanos, long startKey)
      throws IOException {
    return find(
        channel,
        bins,
        lookBackNanos,
        rows -> new HeldOrder(rows, HeldOrder.lastBefore(blockRanges, bins.fromNanos(), startKey)));
  }

  private interface Orders {
    @Nullable HeldOrder of(RollupRows rows) throws IOException;
  }

  private @Nullable RollupRanges find(
      String channel, RollupRanges.Bins bins, long mostWidthNanos, Orders orders)
      throws IOException {
    RollupFile open = file;
    if (open == null) {
      return null;
    }
    try {
      for (RollupTable table : tables(open, channel, bins.fromNanos(), bins.stepNanos())) {
        if (table.widthNanos() > mostWidthNanos) {
          continue;
        }
        RollupRows rows = table.read(bins.fromNanos(), bins.toNanos(), columns);
        RollupRanges ranges =
            new RollupRanges(rows, table.widthNanos(), blockRanges, bins, orders.of(rows));
        if (ranges.isWorth(pageRows)) {
          return ranges;
        }
      }
      return null;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      return null;
    }
  }

  /** Returns the rollups of a channel that the bins may need, the best first. */
  private List<RollupTable> tables(RollupFile open, String channel, long fromNanos, long stepNanos)
      throws IOException {
    List<RollupTable> found = open.find(channel);
    if (found.isEmpty()) {
      return found;
    }
    long events = 0;
    for (Chunk chunk : chunks(channel)) {
      if (chunk.waveform() || chunk.type() != found.get(0).type()) {
        return List.of();
      }
      events += chunk.rows();
    }
    List<RollupTable> aligned = new ArrayList<>();
    List<RollupTable> others = new ArrayList<>();
    for (RollupTable table : found) {
      long width = table.widthNanos();
      if (table.events() == events && width <= stepNanos) {
        boolean divides = stepNanos % width == 0 && Math.floorMod(fromNanos, width) == 0;
        (divides ? aligned : others).add(0, table);
      }
    }
    aligned.addAll(others);
    return aligned;
  }

  @Override
  public void close() throws IOException {
    RollupFile open = file;
    file = null;
    if (open != null) {
      open.close();
    }
  }
}
