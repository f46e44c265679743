package org.kblake.record.log;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that call the file system. A call may take long, or for ever.
 *
 * @param executor takes each task at once; its threads do not keep the process
 * @param longestEndNanos the longest time in nanoseconds for which the ends of logs are waited for
 */
public record DiskThreads(Executor executor, long longestEndNanos) {

  /** Threads that are begun when they are needed; 30 s for the ends of logs. */
  public static final DiskThreads POOL = new DiskThreads(pool(), TimeUnit.SECONDS.toNanos(30));

  private static Executor pool() {
    return new ThreadPoolExecutor(
        0,
        Integer.MAX_VALUE,
        10,
        TimeUnit.SECONDS,
        new SynchronousQueue<>(),
        task -> {
          Thread thread = new Thread(task, "kblake-record-disk");
          thread.setDaemon(true);
          return thread;
        });
  }
}
