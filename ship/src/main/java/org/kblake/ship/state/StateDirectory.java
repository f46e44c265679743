package org.kblake.ship.state;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.error.RequestException;
import org.kblake.core.model.Group;

/** A directory of states, locked by one process. */
public final class StateDirectory implements Closeable {

  private final Path directory;
  private final String receiver;
  private final FileChannel lock;

  private StateDirectory(Path directory, String receiver, FileChannel lock) {
    this.directory = directory;
    this.receiver = receiver;
    this.lock = lock;
  }

  /**
   * Opens a directory, and makes it if it does not exist.
   *
   * @param receiver where the events go
   * @param archive the root of the archive, in which it must not be; null if unknown
   * @throws RequestException if another process has it
   */
  public static StateDirectory open(Path directory, String receiver, @Nullable Path archive)
      throws IOException {
    Files.createDirectories(directory);
    if (archive != null
        && Files.exists(archive)
        && directory.toRealPath().startsWith(archive.toRealPath())) {
      throw new RequestException("--state is in the archive: " + directory);
    }
    FileChannel channel =
        FileChannel.open(
            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock taken = null;
    try {
      taken = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // This process has it.
    }
    if (taken == null) {
      channel.close();
      throw new RequestException("another kblake ship has this --state: " + directory);
    }
    return new StateDirectory(directory, receiver, channel);
  }

  public Path directory() {
    return directory;
  }

  public Path file(Group group) {
    return ShipState.file(directory, group);
  }

  public String receiver() {
    return receiver;
  }

  /**
   * Returns the state of a group; null if it has none.
   *
   * @throws RequestException if it is of another receiver
   */
  public @Nullable ShipState state(Group group) throws IOException {
    ShipState state = ShipState.read(file(group));
    if (state != null && !state.receiver().equals(receiver)) {
      throw new RequestException(
          "--state is of another receiver: found " + state.receiver() + ", expected " + receiver);
    }
    return state;
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
