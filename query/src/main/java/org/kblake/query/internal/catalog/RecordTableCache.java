package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.cache.WeightedCache;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.scan.PairFormat;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairImage;
import org.kblake.core.layout.LogLayout;
import org.kblake.core.layout.RecordTable;

/**
 * What blocks say of their pairs, kept for the next question: blocks never change, and to decode a
 * table of 1,000 records takes a third of the time in which a channel of three days is read. Safe
 * for many threads.
 */
public final class RecordTableCache {

  /** A record takes about 200 bytes, and so does what is kept of a pair without its records. */
  private static final int MOST_RECORDS = 200_000;

  private final List<LogLayout> layouts;
  private final WeightedCache<Key, Known> entries = new WeightedCache<>(MOST_RECORDS);

  public RecordTableCache(List<LogLayout> layouts) {
    this.layouts = layouts;
  }

  /** Not the block itself: one that is not in use any more may go. */
  private record Key(Path directory, int checksum, int stretch) {}

  /**
   * What a block says of a pair.
   *
   * @param records the record table; null if it was not requested
   * @param intervalNanos the milestone interval
   * @param closedAtOffset the size of the log if the pair was closed; otherwise {@link
   *     Long#MAX_VALUE}
   */
  public record Known(@Nullable RecordTable records, long intervalNanos, long closedAtOffset) {

    private int size() {
      return 1 + (records == null ? 0 : records.size());
    }
  }

  /**
   * @param withRecords whether the record table is wanted
   * @throws CorruptBlockException if the block does not tell
   */
  public Known of(StoredStretch stored, boolean withRecords) throws IOException {
    Block block = stored.block();
    Key key = new Key(block.directory(), block.checksum(), stored.number());
    Known known = entries.get(key);
    if (known == null || withRecords && known.records == null) {
      PairImage image = block.pairs().get(stored.number());
      PairImage.Closing closing = image.closing();
      known =
          new Known(
              withRecords ? records(block, image) : null,
              image.milestoneIntervalNanos(),
              closing == null ? Long.MAX_VALUE : closing.logBytes());
      entries.put(key, known, known.size());
    }
    return known;
  }

  private RecordTable records(Block block, PairImage image) throws IOException {
    try {
      return PairFormat.decode(block.directory(), image.indexHead(), layouts).records();
    } catch (ClosedByInterruptException | CorruptBlockException e) {
      throw e;
    } catch (IOException e) {
      throw new CorruptBlockException(
          block.directory(), 0, "record table: " + e.getMessage(), "one that can be read");
    }
  }
}
