package org.kblake.core.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.store.BlockList;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;

/**
 * A store, open for reading. It has no open file and no lock, and may be shared by threads. Its
 * writer may add, merge and evict blocks at any time.
 */
public final class StoreReader {

  /**
   * How often the blocks of a group are listed at most, if blocks are removed while they are read.
   */
  public static final int MAX_LISTINGS = BlockList.MAX_LISTINGS;

  private final Store store;

  private StoreReader(Store store) {
    this.store = store;
  }

  /**
   * Opens a store.
   *
   * @throws IOException if there is none, or this version cannot read it
   */
  public static StoreReader open(Path directory) throws IOException {
    return new StoreReader(Store.open(directory, null));
  }

  public Path directory() {
    return store.directory();
  }

  /** Returns the root of the archive when the store was made, an absolute path. */
  public String archive() {
    return store.identity().archive();
  }

  /** Returns the name of the archive's time zone. */
  public String zone() {
    return store.identity().zone();
  }

  /**
   * Returns the groups that have a directory in the store.
   *
   * @throws IOException if the store's directory cannot be listed
   */
  public StoreGroups groups() throws IOException {
    return store.listedGroups();
  }

  /** Returns whether the store has a directory of a group. */
  public boolean has(Group group) {
    return store.has(group);
  }

  /** Returns the directory with a directory for each block of a group, whether it exists or not. */
  public Path directoryOf(Group group) {
    return store.directoryOf(group);
  }

  /**
   * Returns the blocks of a group that are in use, in log order. No two have the same byte of the
   * log. The directory is listed at each call.
   *
   * @param problems receives an exception for each damaged block, which is left out
   */
  public List<StoredBlock> blocks(Group group, Consumer<CorruptBlockException> problems)
      throws IOException {
    long boundNanos = store.identity().disorderBoundNanos();
    return store.blocks(group, problems).stream()
        .map(block -> new StoredBlock(block, boundNanos))
        .toList();
  }
}
