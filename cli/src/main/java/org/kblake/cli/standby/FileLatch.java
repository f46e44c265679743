package org.kblake.cli.standby;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A latch on one host: a lock of a file, which the system gives back when its process ends. A
 * process that is only stopped keeps it.
 */
public final class FileLatch implements Latch {

  private static final long RETRY_NANOS = 100_000_000;

  private final Path file;
  private final Consumer<String> notices;
  private @Nullable FileChannel locked;
  private long triedNanos = System.nanoTime() - RETRY_NANOS;
  private String problem = "";

  /**
   * @param file is created if there is none, and stays
   * @param notices takes a line when the file cannot be locked for another reason
   */
  public FileLatch(Path file, Consumer<String> notices) {
    this.file = file;
    this.notices = notices;
  }

  @Override
  public synchronized boolean isHeld() {
    long now = System.nanoTime();
    if (locked == null && now - triedNanos >= RETRY_NANOS) {
      triedNanos = now;
      try {
        locked = lock();
        problem = "";
      } catch (IOException e) {
        if (!problem.equals(e.toString())) {
          problem = e.toString();
          notices.accept("the lock of the active process cannot be asked for: " + problem);
        }
      }
    }
    return locked != null;
  }

  private @Nullable FileChannel lock() throws IOException {
    FileChannel channel = FileChannel.open(file, CREATE, WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Another latch of this process has it.
    } catch (Throwable e) {
      channel.close();
      throw e;
    }
    channel.close();
    return null;
  }

  @Override
  public boolean isConfirmed() {
    return isHeld();
  }

  @Override
  public boolean mayWrite() {
    return isHeld();
  }

  @Override
  public synchronized void close() {
    FileChannel channel = locked;
    locked = null;
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      notices.accept("the lock of the active process could not be given back: " + e);
    }
  }
}
