package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
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
 * Snapshots of pairs, kept while the files stay as they are: an index of 60,000 records takes a
 * while to read. One that grows is looked at anew for every question, but what its index says of
 * records is decoded anew only if it has changed. Safe for many threads.
 */
public final class PairSnapshotCache {

  /** A record takes about 200 bytes. */
  private static final int MOST_RECORDS = 200_000;

  private final Map<Path, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private final MirrorAccess mirror;
  private int records;

  /**
   * @param mirror copies of logs that grow, and how files of the archive are asked
   */
  public PairSnapshotCache(MirrorAccess mirror) {
    this.mirror = mirror;
  }

  /** What a file is known by. */
  private record FileState(long bytes, FileTime modified, @Nullable Object key) {

    static FileState of(Path file) throws IOException {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      return new FileState(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
    }

    /** As equals, which takes a process that begins some milliseconds to be linked. */
    boolean isSame(FileState other) {
      return bytes == other.bytes
          && modified.equals(other.modified)
          && Objects.equals(key, other.key);
    }
  }

  /** A snapshot and what was found out about it. */
  public static final class Entry {
    private final PairLog log;

    /** Of a pair that does not change any more. */
    private final FileState index;

    private final FileState data;
    private final Map<Path, Image> imageByBlock = new HashMap<>();
    private @Nullable PairIdentity identity;

    private Entry(PairLog log, FileState index, FileState data) {
      this.log = log;
      this.index = index;
      this.data = data;
    }

    public PairLog log() {
      return log;
    }

    /** Whether the pair was closed, and its files are what they were. */
    private boolean isStill(FileState nowIndex, FileState nowData) {
      return index.isSame(nowIndex) && data.isSame(nowData);
    }

    /** Whether a stretch of a block was made from this pair. */
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
     * What was found of a block.
     *
     * @param checksum its own: it may go, and another come by its name
     */
    private record Image(int checksum, boolean ofThisPair) {}
  }

  /**
   * The pair as it is now. Fails as {@link Pair#open()} does.
   *
   * @param mirrored whether bytes may come from the mirror
   */
  public Entry open(Pair pair, boolean mirrored) throws IOException {
    FileState index;
    FileState data;
    try {
      index = state(pair.indexPath());
      data = state(pair.logPath());
    } catch (IOException e) {
      return new Entry(pair.open(), NOTHING, NOTHING);
    }
    Entry known = known(pair);
    if (known != null && known.isStill(index, data) && (mirrored || !known.log.isMirrored())) {
      return known;
    }
    LogCopy copy = mirrored ? copy(pair) : null;
    PairLog log = pair.open(copy, known == null ? null : known.log);
    boolean lasting = log.closed();
    Entry opened = new Entry(log, lasting ? index : NOTHING, lasting ? data : NOTHING);
    keep(pair.indexPath(), opened);
    return opened;
  }

  private synchronized @Nullable Entry known(Pair pair) {
    return entries.get(pair.indexPath());
  }

  private FileState state(Path file) throws IOException {
    return mirror.isBlocking() ? FileState.of(file) : mirror.ask(file, () -> FileState.of(file));
  }

  private @Nullable LogCopy copy(Pair pair) {
    Mirror present = mirror.now();
    return present == null ? null : present.copy(pair.group(), pair.stamp());
  }

  /** What the mirror has of a pair that the archive does not show; null if it has nothing. */
  public @Nullable Entry openCopy(Pair pair) throws IOException {
    LogCopy copy = copy(pair);
    if (copy == null) {
      return null;
    }
    try {
      return new Entry(pair.openCopy(copy), NOTHING, NOTHING);
    } catch (CorruptLogException
        | UnavailableException
        | TooNewException
        | PendingPairException e) {
      return null;
    }
  }

  private static final FileState NOTHING = new FileState(-1, FileTime.fromMillis(0), null);

  private synchronized void keep(Path path, Entry entry) {
    Entry before = entries.put(path, entry);
    records += entry.log.records().size() - (before == null ? 0 : before.log.records().size());
    Iterator<Entry> oldest = entries.values().iterator();
    while (records > MOST_RECORDS && entries.size() > 1) {
      records -= oldest.next().log.records().size();
      oldest.remove();
    }
  }
}
