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
 * Notices pairs that begin: lists a group's directory when its time of change has changed, and once
 * more a little later, since a second file within one tick of that clock does not show; besides,
 * now and then, whatever the time says.
 */
public final class PairListing {

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long NOW_AND_THEN_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final PairCatalog catalog;
  private final Group group;
  private final Consumer<String> notes;

  private @Nullable FileTime modified;
  private long nextNanos;
  private boolean unavailable;

  public PairListing(PairCatalog catalog, Group group, Consumer<String> notes) {
    this.catalog = catalog;
    this.group = group;
    this.notes = notes;
  }

  /**
   * The group's pairs, if there may be others than last time; null if not, or if it is unknown.
   *
   * @param nowNanos of {@link System#nanoTime}
   */
  public @Nullable List<Pair> look(long nowNanos) throws IOException {
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
      return catalog.access().ask(directory, () -> Files.getLastModifiedTime(directory));
    } catch (IOException e) {
      // the listing says why, if it is a reason
      return FileTime.fromMillis(0);
    }
  }
}
