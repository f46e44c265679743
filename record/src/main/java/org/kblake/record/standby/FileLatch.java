package org.kblake.record.standby;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.kblake.cli.standby.Latch;
import org.kblake.record.log.LogFiles;

/**
 * A latch on one host: a lock of a file, which the system gives back when its process ends. A
 * process that is only stopped keeps it. So does one that cannot work, because the others on its
 * host have the same disks.
 */
public final class FileLatch implements Latch {

  private static final long RETRY_NANOS = 100_000_000;

  private final Path file;
  private final Consumer<String> notices;
  private @Nullable Closeable locked;
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
        locked = LogFiles.DISK.lock(file);
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
    Closeable lock = locked;
    locked = null;
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      notices.accept("the lock of the active process could not be given back: " + e);
    }
  }
}
