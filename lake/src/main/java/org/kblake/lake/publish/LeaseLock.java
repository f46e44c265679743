package org.kblake.lake.publish;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.iceberg.exceptions.AlreadyExistsException;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileIO;
import org.jspecify.annotations.Nullable;
import org.kblake.lake.table.LakeCatalog;

/**
 * The lock of a location that is not local: the file {@code kblake-publisher}, which the holder
 * writes again every ten seconds. It is free if it did not change for a minute of the waiting
 * process's own time. No clocks of hosts are compared. A holder that was suspended confirms the
 * lock before it commits or removes anything.
 */
final class LeaseLock implements PublishLock {

  private static final String FILE_NAME = "kblake-publisher";
  private static final int LARGEST_BYTES = 1 << 12;

  /**
   * The times of a lock, in milliseconds.
   *
   * @param renewal the interval at which the holder writes the file
   * @param expiry the time without a change after which the lock is free
   * @param retry the interval at which others read the file
   */
  record Times(long renewal, long expiry, long retry) {
    static final Times USUAL = new Times(10_000, 60_000, 1_000);
  }

  private final Times times;

  private final FileIO io;
  private final String path;
  private final String holder;
  private final Thread renewal;

  /** Set before the renewal is interrupted, because reads and writes may lose the interrupt. */
  private volatile boolean closed;

  private LeaseLock(FileIO io, String path, String holder, Times times) {
    this.times = times;
    this.io = io;
    this.path = path;
    this.holder = holder;
    this.renewal = new Thread(this::renew, "kblake-lease");
    renewal.setDaemon(true);
    renewal.start();
  }

  static LeaseLock take(
      LakeCatalog catalog, String holder, @Nullable Consumer<String> waiting, Times times)
      throws IOException, InterruptedException {
    FileIO io = catalog.files();
    String location = catalog.location();
    String path = location + (location.endsWith("/") ? "" : "/") + FILE_NAME;
    try {
      String own = holder + " lease=" + UUID.randomUUID();
      String seen = null;
      long seenNanos = 0;
      boolean told = false;
      while (!create(io, path, own)) {
        String present = read(io, path);
        long now = System.nanoTime();
        if (present == null || !present.equals(seen)) {
          // The file is empty for a moment while it is written again.
          if (waiting == null && seen != null && present != null && !present.isEmpty()) {
            throw new Held(location, present);
          }
          seen = present;
          seenNanos = now;
        } else if (now - seenNanos >= TimeUnit.MILLISECONDS.toNanos(times.expiry)) {
          io.deleteFile(path);
          continue;
        }
        if (waiting != null && !told) {
          waiting.accept("waiting: " + new Held(location, String.valueOf(seen)).getMessage());
          told = true;
        }
        TimeUnit.MILLISECONDS.sleep(times.retry);
      }
      return new LeaseLock(io, path, own, times);
    } catch (IOException | InterruptedException | RuntimeException e) {
      io.close();
      throw e;
    }
  }

  private static boolean create(FileIO io, String path, String text) throws IOException {
    try (OutputStream out = io.newOutputFile(path).create()) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
      return true;
    } catch (AlreadyExistsException e) {
      return false;
    }
  }

  private static @Nullable String read(FileIO io, String path) throws IOException {
    try (InputStream in = io.newInputFile(path).newStream()) {
      return new String(in.readNBytes(LARGEST_BYTES), StandardCharsets.UTF_8);
    } catch (NotFoundException e) {
      return null;
    }
  }

  private void renew() {
    for (long count = 1; !closed; count++) {
      try {
        TimeUnit.MILLISECONDS.sleep(times.renewal);
        confirm();
        try (OutputStream out = io.newOutputFile(path).createOrOverwrite()) {
          out.write((holder + " renewed=" + count).getBytes(StandardCharsets.UTF_8));
        }
      } catch (InterruptedException e) {
        return;
      } catch (IOException | RuntimeException e) {
        // The next attempt may succeed. Until then the holder confirms the lock before it changes
        // anything.
      }
    }
  }

  @Override
  public void confirm() throws IOException {
    String present = read(io, path);
    if (present == null || !present.startsWith(holder)) {
      throw new IOException(
          "the lock of the location was lost: file="
              + path
              + ", holder="
              + present
              + "; publish again");
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    renewal.interrupt();
    try {
      renewal.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      confirm();
      io.deleteFile(path);
    } finally {
      io.close();
    }
  }
}
