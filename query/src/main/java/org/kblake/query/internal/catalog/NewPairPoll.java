package org.kblake.query.internal.catalog;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.file.DirectoryPoll;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.model.Group;

/** A poll of a followed group for new pairs. It lists the directory when that is due. */
public final class NewPairPoll {

  private final PairCatalog catalog;
  private final Group group;
  private final Consumer<String> notes;
  private final DirectoryPoll directory;

  private boolean unavailable;

  public NewPairPoll(PairCatalog catalog, Group group, Consumer<String> notes) {
    this.catalog = catalog;
    this.group = group;
    this.notes = notes;
    directory = new DirectoryPoll(catalog.root().resolve(group.system()), catalog.access());
  }

  /**
   * Returns the group's pairs if there may be new ones; null if there are none, or if this is
   * unknown.
   *
   * @param nowNanos the time, as {@link System#nanoTime} counts
   */
  public @Nullable List<Pair> poll(long nowNanos) throws IOException {
    if (!directory.isDue(nowNanos)) {
      return null;
    }
    try {
      List<Pair> pairs = catalog.pairs(group, notes);
      unavailable = false;
      return pairs;
    } catch (UnavailableException e) {
      if (!unavailable) {
        unavailable = true;
        notes.accept(String.valueOf(e.getMessage()));
      }
      directory.failed();
      return null;
    }
  }
}
