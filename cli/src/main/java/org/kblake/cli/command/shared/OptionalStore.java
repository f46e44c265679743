package org.kblake.cli.command.shared;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.ErrorLine;
import org.kblake.cli.settings.Settings;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;
import org.kblake.core.model.StoreGroups;

/**
 * The store of the settings, opened for reading. It is absent if none is set, or if it does not
 * exist yet.
 */
public final class OptionalStore implements AutoCloseable {

  private final @Nullable Store store;

  private OptionalStore(@Nullable Store store) {
    this.store = store;
  }

  /**
   * Opens the store as {@link #of(Settings)} does. A store that cannot be read is absent.
   *
   * @param problems gets a line on a store that cannot be read
   * @return the caller closes it
   * @throws StoreException if the store is of another archive, zone or version
   */
  public static OptionalStore of(Settings settings, Consumer<String> problems)
      throws StoreException {
    try {
      return of(settings);
    } catch (StoreException e) {
      throw e;
    } catch (IOException e) {
      problems.accept("store cannot be read: " + ErrorLine.of(e));
      return new OptionalStore(null);
    }
  }

  /**
   * Opens the store.
   *
   * @return the caller closes it
   * @throws StoreException if the store is of another archive, zone or version
   * @throws IOException if the store cannot be read
   */
  public static OptionalStore of(Settings settings) throws IOException {
    if (!settings.hasStore()) {
      return new OptionalStore(null);
    }
    try {
      return new OptionalStore(
          Store.open(
              settings.store(),
              ExpectedStore.of(
                  settings.archive(), settings.archiveSettings(), StoreProfile.standard)));
    } catch (StoreException.Missing e) {
      return new OptionalStore(null);
    }
  }

  /** Returns the store, or null if there is none. */
  public @Nullable Store store() {
    return store;
  }

  /**
   * Returns the groups that have blocks.
   *
   * @throws StoreException if the store's root cannot be listed
   */
  public StoreGroups groups() throws IOException {
    return store == null ? StoreGroups.NONE : store.listedGroups();
  }

  /**
   * Returns the blocks of a group that are in use.
   *
   * @param problems gets a line on each block that cannot be used
   */
  public List<Block> blocks(Group group, Consumer<String> problems) throws IOException {
    return store == null
        ? List.of()
        : store.blocks(group, problem -> problems.accept(String.valueOf(problem.getMessage())));
  }

  @Override
  public void close() throws IOException {
    if (store != null) {
      store.close();
    }
  }
}
