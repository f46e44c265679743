package org.kblake.record.standby;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
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
  private final AtomicReference<@Nullable Closeable> locked = new AtomicReference<>();
  private volatile boolean isClosed;

  /** Held by the thread that asks for the file, which may take long. */
  private final ReentrantLock asking = new ReentrantLock();

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
  public boolean isHeld() {
    if (locked.get() == null && !isClosed && asking.tryLock()) {
      try {
        ask(System.nanoTime());
      } finally {
        asking.unlock();
      }
    }
    return locked.get() != null;
  }

  private void ask(long now) {
    if (locked.get() != null || now - triedNanos < RETRY_NANOS) {
      return;
    }
    triedNanos = now;
    try {
      locked.set(LogFiles.DISK.lock(file));
      problem = "";
    } catch (IOException e) {
      if (!problem.equals(e.toString())) {
        problem = e.toString();
        notices.accept("the lock of the active process cannot be asked for: " + problem);
      }
    }
    if (isClosed) {
      giveBack();
    }
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
  public void close() {
    isClosed = true;
    giveBack();
  }

  private void giveBack() {
    Closeable lock = locked.getAndSet(null);
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      notices.accept("the lock of the active process could not be given back: " + e);
    }
  }
}
