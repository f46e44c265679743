package org.kblake.ingest.internal.live;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.kblake.core.internal.log.file.FileAccess;

/**
 * An access to directories with a time limit of two seconds. Its calls run on threads that may wait
 * for a volume. While a call about a path is under way, further calls about that path fail at once.
 * So one thread waits for each path. For results that need not be closed.
 */
public final class TimedDirectoryAccess implements FileAccess {

  private static final long LIMIT_MILLIS = 2_000;

  private final ExecutorService threads;
  private final FileAccess archive;
  private final Map<Path, Future<?>> underWay = new ConcurrentHashMap<>();

  /**
   * @param threads has a thread for each call
   */
  public TimedDirectoryAccess(ExecutorService threads) {
    this(threads, FileAccess.WAITING);
  }

  /**
   * @param threads has a thread for each call
   * @param archive the access that these threads use
   */
  TimedDirectoryAccess(ExecutorService threads, FileAccess archive) {
    this.threads = threads;
    this.archive = archive;
  }

  @Override
  public <T> T call(Path file, Call<T> call) throws IOException {
    Future<?> before = underWay.get(file);
    if (before != null && !before.isDone()) {
      throw tooLate();
    }
    underWay.remove(file);
    try {
      Future<T> pending = threads.submit(() -> archive.call(file, call));
      try {
        return pending.get(LIMIT_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        underWay.put(file, pending);
        throw tooLate();
      }
    } catch (InterruptedException | RejectedExecutionException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("following ends");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
  }

  private static AccessTimeoutException tooLate() {
    return new AccessTimeoutException(
        "the archive does not answer within " + LIMIT_MILLIS + " ms; check its volume");
  }
}
