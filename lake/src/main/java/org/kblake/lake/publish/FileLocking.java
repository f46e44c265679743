package org.kblake.lake.publish;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The lock of a local location: a lock on the file {@code kblake-publisher}, which names the
 * holder. The operating system releases it when the process ends, for any reason.
 *
 * <p>POSIX releases a process's locks on a file when the process closes any descriptor of it.
 * Therefore this process opens the file only once while it has the lock.
 */
final class FileLocking implements PublishLock {

  static final String FILE_NAME = "kblake-publisher";

  private static final long RETRY_MILLIS = 200;
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final FileChannel channel;
  private final Path held;

  private FileLocking(FileChannel channel, Path held) {
    this.channel = channel;
    this.held = held;
  }

  static FileLocking take(Path location, String holder, @Nullable Consumer<String> waiting)
      throws IOException, InterruptedException {
    Files.createDirectories(location);
    Path held = location.toRealPath();
    boolean told = false;
    while (true) {
      FileLocking lock = tryTake(location, held, holder);
      if (lock != null) {
        return lock;
      }
      Held other = new Held(location.toString(), other(location, held));
      if (waiting == null) {
        throw other;
      }
      if (!told) {
        waiting.accept("waiting: " + other.getMessage());
        told = true;
      }
      TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
    }
  }

  private static @Nullable FileLocking tryTake(Path location, Path held, String holder)
      throws IOException {
    if (!HELD.add(held)) {
      return null;
    }
    FileChannel channel = null;
    boolean taken = false;
    try {
      channel =
          FileChannel.open(
              location.resolve(FILE_NAME),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        return null;
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap(holder.getBytes(StandardCharsets.UTF_8)), 0);
      taken = true;
      return new FileLocking(channel, held);
    } catch (OverlappingFileLockException e) {
      return null;
    } finally {
      if (!taken) {
        HELD.remove(held);
        if (channel != null) {
          channel.close();
        }
      }
    }
  }

  private static String other(Path location, Path held) {
    if (HELD.contains(held)) {
      return "this process";
    }
    try {
      String text = Files.readString(location.resolve(FILE_NAME)).strip();
      return text.isEmpty() ? "unknown" : text;
    } catch (IOException e) {
      return "unknown";
    }
  }

  /** The operating system keeps the lock while the process lives. */
  @Override
  public void confirm() {}

  @Override
  public void close() throws IOException {
    channel.close();
    HELD.remove(held);
  }
}
