package org.kblake.query.internal.catalog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.log.file.FileAccess;

/**
 * An access that makes calls about an archive's files on its own threads, with a time limit of half
 * a second. A call that exceeds it is abandoned, but may still run. While it runs, its group, or
 * its directory and all below, counts as unresponsive: no other call is made there. So an answer
 * waits once for a missing volume. At most as many threads per group hang as made calls at the same
 * time. If a caller is interrupted, its call continues, and the next caller first waits for the end
 * of this call. Safe for many threads.
 */
public final class TimedFileAccess implements FileAccess {

  private static final long LIMIT_MILLIS = 500;

  private static final long IDLE_SECONDS = 5;

  private final ExecutorService threads;
  private final long limitMillis;

  /** The abandoned calls, by the directory that they concern. */
  private final Map<Path, TimedCall<?>> unresponsive = new ConcurrentHashMap<>();

  public TimedFileAccess() {
    this(LIMIT_MILLIS);
  }

  /**
   * @param limitMillis the time limit of a call, instead of half a second
   */
  public TimedFileAccess(long limitMillis) {
    this.limitMillis = limitMillis;
    AtomicLong number = new AtomicLong();
    threads =
        new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            task -> {
              Thread thread = new Thread(task, "kblake-file-" + number.incrementAndGet());
              // A thread that hangs on a missing volume must not prevent the end of the process.
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public <T> T call(Path file, Call<T> call) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      // A file channel reports an interrupt in the same way.
      throw new ClosedByInterruptException();
    }
    for (Path directory = directoryOf(file); directory != null; directory = directory.getParent()) {
      TimedCall<?> before = unresponsive.get(directory);
      if (before != null) {
        before.awaitEnd(limitMillis);
        unresponsive.remove(directory, before);
      }
    }
    TimedCall<T> timed = new TimedCall<>(call);
    threads.execute(timed);
    try {
      return timed.get(limitMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      unresponsive.put(directoryOf(file), timed);
      timed.abandon();
      throw tooLate(limitMillis);
    } catch (InterruptedException e) {
      unresponsive.put(directoryOf(file), timed);
      timed.abandon();
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    } catch (ExecutionException e) {
      throw failure(e.getCause());
    }
  }

  private static IOException failure(@Nullable Throwable cause) {
    if (cause instanceof IOException e) {
      return e;
    }
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    if (cause instanceof Error e) {
      throw e;
    }
    return new IOException(cause);
  }

  private static AccessTimeoutException tooLate(long limitMillis) {
    return new AccessTimeoutException(
        "the archive does not answer within " + limitMillis + " ms; check its volume");
  }

  /**
   * Returns the directory of a file. For files of a pair it is a path of their group, because the
   * groups of a directory may be on different volumes.
   */
  private static Path directoryOf(Path file) {
    String name = String.valueOf(file.getFileName());
    int stamp = name.lastIndexOf('_');
    boolean ofPair = stamp > 0 && (name.endsWith(".log1") || name.endsWith(".log2"));
    return ofPair ? file.resolveSibling(name.substring(0, stamp)) : file;
  }

  /** A call. It closes its result if no thread waits for it any more. */
  private static final class TimedCall<T> extends FutureTask<T> {
    private final long beginNanos = System.nanoTime();
    private boolean abandoned;
    private @Nullable Closeable late;

    TimedCall(Call<T> call) {
      super(call::run);
    }

    /** Waits for the end of the call, up to the time limit since its begin. */
    void awaitEnd(long limitMillis) throws IOException {
      long leftNanos =
          TimeUnit.MILLISECONDS.toNanos(limitMillis) - (System.nanoTime() - beginNanos);
      try {
        get(Math.max(0, leftNanos), TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        throw tooLate(limitMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new ClosedByInterruptException();
      } catch (ExecutionException e) {
        // The call has ended. Its error does not concern this caller.
      }
    }

    @Override
    protected void set(T answer) {
      if (answer instanceof Closeable closeable) {
        synchronized (this) {
          late = closeable;
        }
      }
      super.set(answer);
      closeIfLate();
    }

    void abandon() {
      synchronized (this) {
        abandoned = true;
      }
      closeIfLate();
    }

    private void closeIfLate() {
      Closeable answer;
      synchronized (this) {
        if (!abandoned) {
          return;
        }
        answer = late;
        late = null;
      }
      if (answer != null) {
        try {
          answer.close();
        } catch (IOException e) {
          // The file is not used.
        }
      }
    }
  }
}
