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

  private static final long MAX_BYTES = 60L << 20;

  private final WeightedCache<Key, Entry> entries = new WeightedCache<>(MAX_BYTES);
  private final MirrorAccess mirror;

  /**
   * @param mirror the copies of growing logs, and the access to the archive
   */
  public PairSnapshotCache(MirrorAccess mirror) {
    this.mirror = mirror;
  }

  /**
   * The pair of a snapshot, and what it was made with.
   *
   * @param compared whether there was a mirror, with which the log was compared
   * @param mirrored whether bytes are read from the mirror
   */
  private record Key(Path index, boolean compared, boolean mirrored) {

    // Generated methods take a command 25 ms of the processor when they are used first.
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key key
          && index.equals(key.index)
          && compared == key.compared
          && mirrored == key.mirrored;
    }

    @Override
    public int hashCode() {
      return 4 * index.hashCode() + (compared ? 2 : 0) + (mirrored ? 1 : 0);
    }
  }

  /** A snapshot, and the blocks that were compared with it. */
  public static final class Entry {
    private final PairLog log;
    private final Map<Path, Image> imageByBlock = new HashMap<>();
    private final @Nullable Shortened shortened;
    private @Nullable PairIdentity identity;

    private Entry(PairLog log, @Nullable Shortened shortened) {
      this.log = log;
      this.shortened = shortened;
    }

    public PairLog log() {
      return log;
    }

    /** Returns what shows that the log is shorter than its copy; null if it is not. */
    public @Nullable Shortened shortened() {
      return shortened;
    }

    /** Returns whether a span of a block was made from this pair. */
    public synchronized boolean isImaged(StoredSpan stored) throws IOException {
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
   * A closed log that is shorter than its copy in the mirror.
   *
   * @param text one line for users
   * @param longer the log with the end that only the copy has
   * @param whole whether the copy has the end of the pair
   * @param archived the log as the archive has it, if it ends before its copy begins; otherwise
   *     null
   */
  public record Shortened(String text, PairLog longer, boolean whole, @Nullable PairLog archived) {}

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
      return new Entry(pair.open(), null);
    }
    Mirror present = mirror.now();
    Key key = new Key(pair.indexPath(), present != null, mirrored && present != null);
    Entry known = entries.get(key);
    if (known != null && known.log.isStill(index, data)) {
      return known;
    }
    LogCopy copy = copy(present, pair);
    PairLog log = pair.open(mirrored ? copy : null, known == null ? null : known.log);
    Entry opened = new Entry(log, copy == null ? null : shortened(log, copy));
    entries.put(key, opened, log.memoryBytes());
    return opened;
  }

  private static @Nullable Shortened shortened(PairLog log, LogCopy copy) throws IOException {
    FileState file = log.fileState().log();
    String lacks = log.pair().lacksOf(copy, file);
    if (lacks == null) {
      return null;
    }
    PairLog longer = log.logBytes() > file.bytes() ? log : log.pair().open(copy, log);
    if (longer.logBytes() <= file.bytes()) {
      return null;
    }
    PairLog archived = longer.onlyCopy() == null ? null : log.pair().open(null, log);
    return new Shortened(lacks, longer, copy.closed(), archived);
  }

  private FileState state(Path file) throws IOException {
    return mirror.isBlocking() ? FileState.of(file) : mirror.call(file, () -> FileState.of(file));
  }

  private static @Nullable LogCopy copy(@Nullable Mirror present, Pair pair) {
    return present == null ? null : present.copy(pair.group(), pair.stamp());
  }

  /** Opens the mirror's copy of a pair that the archive does not show; null if there is none. */
  public @Nullable Entry openCopy(Pair pair) throws IOException {
    LogCopy copy = copy(mirror.now(), pair);
    if (copy == null) {
      return null;
    }
    try {
      return new Entry(pair.openCopy(copy), null);
    } catch (CorruptLogException
        | UnavailableException
        | TooNewException
        | PendingPairException e) {
      return null;
    }
  }
}
