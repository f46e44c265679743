package org.kblake.core.internal.log.pair;

import java.io.IOException;
import java.nio.file.Path;
import org.kblake.core.internal.cache.WeightedCache;
import org.kblake.core.internal.log.file.FileState;

/**
 * Snapshots of closed pairs for one task in several steps, such as a plan and its execution. A
 * closed pair is opened once, while its files do not change. A growing pair is opened at each step.
 * Memory is limited, because the record tables of an archive need not fit into it: the least
 * recently used snapshots are dropped and taken again. Safe for many threads.
 */
public final class PairSnapshots {

  private static final long MAX_BYTES = 24L << 20;

  private final WeightedCache<Path, PairLog> snapshots;

  public PairSnapshots() {
    this(MAX_BYTES);
  }

  /**
   * @param mostBytes the limit of memory; the newest snapshot is kept even if it exceeds it
   */
  PairSnapshots(long mostBytes) {
    snapshots = new WeightedCache<>(mostBytes);
  }

  /** Returns a snapshot of the pair as it is now. Fails as {@link Pair#open()} does. */
  public PairLog open(Pair pair) throws IOException {
    PairLog known = snapshots.get(pair.indexPath());
    if (known != null
        && known.pair().hasSameFollowers(pair)
        && known.isStill(state(pair, pair.indexPath()), state(pair, pair.logPath()))) {
      return known;
    }
    PairLog opened = pair.open();
    keep(opened);
    return opened;
  }

  /** Keeps a snapshot if its pair is closed. */
  public void keep(PairLog snapshot) {
    if (snapshot.closed()) {
      snapshots.put(snapshot.pair().indexPath(), snapshot, snapshot.memoryBytes());
    }
  }

  private static FileState state(Pair pair, Path file) throws IOException {
    try {
      return pair.access().call(file, () -> FileState.ofOrMissing(file));
    } catch (IOException e) {
      throw pair.failure(e);
    }
  }
}
