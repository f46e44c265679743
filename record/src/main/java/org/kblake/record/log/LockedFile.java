package org.kblake.record.log;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A file that this process has locked, until it is closed. The operating system releases the lock
 * when the process ends, for any reason.
 *
 * <p>POSIX releases a process's locks on a file when the process closes <em>any</em> descriptor of
 * that file. Therefore this process opens the file only once while it has the lock.
 */
final class LockedFile implements Closeable {

  /** The files that this process has locked. They are checked before a file is opened. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private final Path held;

  private LockedFile(FileChannel channel, Path held) {
    this.channel = channel;
    this.held = held;
  }

  /** Locks a file, as {@link LogFiles#lock} describes. */
  static @Nullable LockedFile lock(Path file) throws IOException {
    Path directory = file.toAbsolutePath().resolveSibling("").toRealPath();
    Path held = directory.resolve(String.valueOf(file.getFileName()));
    if (!HELD.add(held)) {
      return null;
    }
    FileChannel channel = null;
    boolean isLocked = false;
    try {
      channel = FileChannel.open(held, CREATE, WRITE);
      isLocked = channel.tryLock() != null;
      return isLocked ? new LockedFile(channel, held) : null;
    } catch (OverlappingFileLockException e) {
      return null;
    } finally {
      if (!isLocked) {
        forget(channel, held);
      }
    }
  }

  /** Gives the lock back. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      forget(channel, held);
    }
  }

  /** Closes the descriptor first: another thread may lock the file as soon as it is not held. */
  private static void forget(@Nullable FileChannel channel, Path held) throws IOException {
    try {
      if (channel != null) {
        channel.close();
      }
    } finally {
      HELD.remove(held);
    }
  }
}
