package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.cache.WeightedCache;
import org.kblake.core.internal.log.file.FileState;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.PairIdentity;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;

/**
 * A cache of snapshots of pairs, kept while their files do not change. An index of 60,000 records
 * takes long to read. A growing pair is opened again for every question, but its record table is
 * decoded again only if it has changed. Safe for many threads.
 */
public final class PairSnapshotCache {

  private static final long MOST_BYTES = 60L << 20;

  private final WeightedCache<Path, Entry> entries = new WeightedCache<>(MOST_BYTES);
  private final MirrorAccess mirror;

  /**
   * @param mirror the copies of growing logs, and the access to the archive
   */
  public PairSnapshotCache(MirrorAccess mirror) {
    this.mirror = mirror;
  }

  /** A snapshot, and the blocks that were compared with it. */
  public static final class Entry {
    private final PairLog log;
    private final Map<Path, Image> imageByBlock = new HashMap<>();
    private @Nullable PairIdentity identity;

    private Entry(PairLog log) {
      this.log = log;
    }

    public PairLog log() {
      return log;
    }

    /** Returns whether a stretch of a block was made from this pair. */
    public synchronized boolean isImaged(StoredStretch stored) throws IOException {
      Block block = stored.block();
      Image known = imageByBlock.get(block.directory());
      if (known == null || known.checksum != block.checksum()) {
        if (identity == null) {
          identity = PairIdentity.of(log);
        }
        known = new Image(block.checksum(), block.isOf(stored.number(), identity));
        imageByBlock.put(block.directory(), known);
      }
      return known.ofThisPair;
    }

    /**
     * The result for a block.
     *
     * @param checksum the block's checksum, because a block of the same name may replace it
     */
    private record Image(int checksum, boolean ofThisPair) {}
  }

  /**
   * Returns the snapshot of a pair as it is now. Fails as {@link Pair#open()} does.
   *
   * @param mirrored whether bytes may be read from the mirror
   */
  public Entry open(Pair pair, boolean mirrored) throws IOException {
    FileState index;
    FileState data;
    try {
      index = state(pair.indexPath());
      data = state(pair.logPath());
    } catch (IOException e) {
      return new Entry(pair.open());
    }
    Entry known = entries.get(pair.indexPath());
    if (known != null && known.log.isStill(index, data) && (mirrored || !known.log.isMirrored())) {
      return known;
    }
    LogCopy copy = mirrored ? copy(pair) : null;
    PairLog log = pair.open(copy, known == null ? null : known.log);
    Entry opened = new Entry(log);
    entries.put(pair.indexPath(), opened, log.memoryBytes());
    return opened;
  }

  private FileState state(Path file) throws IOException {
    return mirror.isBlocking() ? FileState.of(file) : mirror.call(file, () -> FileState.of(file));
  }

  private @Nullable LogCopy copy(Pair pair) {
    Mirror present = mirror.now();
    return present == null ? null : present.copy(pair.group(), pair.stamp());
  }

  /** Opens the mirror's copy of a pair that the archive does not show; null if there is none. */
  public @Nullable Entry openCopy(Pair pair) throws IOException {
    LogCopy copy = copy(pair);
    if (copy == null) {
      return null;
    }
    try {
      return new Entry(pair.openCopy(copy));
    } catch (CorruptLogException
        | UnavailableException
        | TooNewException
        | PendingPairException e) {
      return null;
    }
  }
}
