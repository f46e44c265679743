package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import org.kblake.core.internal.cache.WeightedCache;
import org.kblake.core.internal.log.file.FileState;

/**
 * Snapshots of closed pairs that are taken for one purpose in several steps, as a plan and what is
 * done by it: a pair is opened once, while its files stay as they are. A pair that grows is opened
 * for each step. The record tables of all pairs of an archive need not fit into memory: what was
 * used least recently is opened again. Safe for many threads.
 */
public final class PairSnapshots {

  private static final long MOST_BYTES = 24L << 20;

  private final WeightedCache<Path, PairLog> snapshots;

  public PairSnapshots() {
    this(MOST_BYTES);
  }

  /**
   * @param mostBytes of memory are kept, of the snapshot that was taken last whatever it takes
   */
  PairSnapshots(long mostBytes) {
    snapshots = new WeightedCache<>(mostBytes);
  }

  /** The pair as it is now. Fails as {@link Pair#open()} does. */
  public PairLog open(Pair pair) throws IOException {
    PairLog known = snapshots.get(pair.indexPath());
    if (known != null
        && Objects.equals(known.pair().nextStamp(), pair.nextStamp())
        && known.isStill(look(pair, pair.indexPath()), look(pair, pair.logPath()))) {
      return known;
    }
    PairLog opened = pair.open();
    keep(opened);
    return opened;
  }

  /** Keeps a snapshot that was taken, if its pair is closed. */
  public void keep(PairLog snapshot) {
    if (snapshot.closed()) {
      snapshots.put(snapshot.pair().indexPath(), snapshot, snapshot.memoryBytes());
    }
  }

  private static FileState look(Pair pair, Path file) throws IOException {
    try {
      return pair.access().ask(file, () -> FileState.ofOrMissing(file));
    } catch (IOException e) {
      throw pair.failure(e);
    }
  }
}
