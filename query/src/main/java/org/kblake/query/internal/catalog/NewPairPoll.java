package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;

/**
 * A poll of a followed group for new pairs. It lists a group's directory when its modification time
 * has changed, and again a little later, because a second file within one tick of the file system's
 * clock does not change this time. It also lists the directory about once a minute in any case. An
 * unchanged time does not prove that there is no new pair, unlike a state of {@link
 * org.kblake.core.internal.log.file.SettledDirectories}. But every file system has this time, and a
 * new pair that a poll misses is found by the next listing.
 */
public final class NewPairPoll {

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long NOW_AND_THEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final PairCatalog catalog;
  private final Group group;
  private final Consumer<String> notes;

  private @Nullable FileTime modified;
  private long nextNanos;
  private boolean unavailable;

  public NewPairPoll(PairCatalog catalog, Group group, Consumer<String> notes) {
    this.catalog = catalog;
    this.group = group;
    this.notes = notes;
  }

  /**
   * Returns the group's pairs if there may be new ones; null if there are none, or if this is
   * unknown.
   *
   * @param nowNanos the time, as {@link System#nanoTime} counts
   */
  public @Nullable List<Pair> poll(long nowNanos) throws IOException {
    try {
      FileTime now = modified();
      boolean changed = modified == null || !modified.equals(now);
      if (!changed && nowNanos - nextNanos < 0) {
        return null;
      }
      nextNanos = nowNanos + (changed ? AGAIN_NANOS : NOW_AND_THEN_NANOS);
      List<Pair> pairs = catalog.pairs(group, notes);
      modified = now;
      unavailable = false;
      return pairs;
    } catch (UnavailableException e) {
      if (!unavailable) {
        unavailable = true;
        notes.accept(String.valueOf(e.getMessage()));
      }
      modified = null;
      return null;
    }
  }

  private FileTime modified() {
    try {
      Path directory = catalog.root().resolve(group.system());
      return catalog.access().call(directory, () -> Files.getLastModifiedTime(directory));
    } catch (IOException e) {
      // The listing reports an error.
      return FileTime.fromMillis(0);
    }
  }
}
