package org.kblake.cli.doctor;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.ingest.internal.live.TimedDirectoryAccess;

/**
 * The access to archive and store of a command that must not wait for a volume. A thread that waits
 * does not prevent the end of the process.
 */
public final class VolumeAccess implements AutoCloseable {

  /** The wait for work that is interrupted and removes its file. */
  private static final long END_SECONDS = 5;

  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "kblake-doctor");
            thread.setDaemon(true);
            return thread;
          });

  private final FileAccess files = new TimedDirectoryAccess(threads);

  /** Returns the access, with a limit of two seconds for each call. */
  public FileAccess files() {
    return files;
  }

  /**
   * Does work with many calls. If the thread is interrupted, the work is interrupted, too, and has
   * some seconds to clean up.
   *
   * @throws FileAccess.AccessTimeoutException if the time limit has passed; the message names the
   *     path
   */
  <T> T within(long seconds, Path path, FileAccess.Call<T> work) throws IOException {
    CountDownLatch ended = new CountDownLatch(1);
    Future<T> pending =
        threads.submit(
            () -> {
              try {
                return work.run();
              } finally {
                ended.countDown();
              }
            });
    try {
      return pending.get(seconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      pending.cancel(true);
      throw new FileAccess.AccessTimeoutException(
          path + " does not answer within " + seconds + " s; check its volume");
    } catch (InterruptedException e) {
      pending.cancel(true);
      awaitEnd(ended);
      throw new InterruptedIOException();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
  }

  private static void awaitEnd(CountDownLatch ended) {
    try {
      if (!ended.await(END_SECONDS, TimeUnit.SECONDS)) {
        // The volume does not respond, and the system removes an unnamed file with the process.
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
