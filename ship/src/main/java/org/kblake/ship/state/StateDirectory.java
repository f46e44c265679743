package org.kblake.ship.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.core.internal.store.WriterLock;
import org.kblake.core.internal.store.file.StoreException;
import org.kblake.core.model.Group;

/** A directory of states, locked by one process. */
public final class StateDirectory implements Closeable {

  private final Path directory;
  private final ShipOrder order;
  private final WriterLock lock;

  private StateDirectory(Path directory, ShipOrder order, WriterLock lock) {
    this.directory = directory;
    this.order = order;
    this.lock = lock;
  }

  /**
   * Opens a directory, and makes it if it does not exist.
   *
   * @param archive the root of the archive, in which it must not be; null if unknown
   * @throws RequestException if another process has it
   */
  public static StateDirectory open(Path directory, ShipOrder order, @Nullable Path archive)
      throws IOException {
    Files.createDirectories(directory);
    if (archive != null
        && Files.exists(archive)
        && directory.toRealPath().startsWith(archive.toRealPath())) {
      throw new RequestException("--state is in the archive: " + directory);
    }
    try {
      WriterLock lock =
          WriterLock.take(
              directory.resolve("lock"), "another kblake ship has this --state: " + directory);
      return new StateDirectory(directory, order, lock);
    } catch (StoreException.Locked e) {
      throw new RequestException(String.valueOf(e.getMessage()));
    }
  }

  public ShipOrder order() {
    return order;
  }

  /** Returns the file of a group's state. */
  public Path file(Group group) {
    return directory.resolve(group.system()).resolve(group.name() + ".state");
  }

  /** Returns the file of a group's refused lines. */
  public Path refused(Group group) {
    return directory.resolve(group.system()).resolve(group.name() + ".refused.lp");
  }

  /**
   * Returns the state of a group; null if it has none.
   *
   * @throws RequestException if it is of another receiver, or of other channels
   */
  public @Nullable ShipState state(Group group) throws IOException {
    ShipState state = ShipState.read(file(group));
    if (state != null) {
      order.check(state.order());
    }
    return state;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
