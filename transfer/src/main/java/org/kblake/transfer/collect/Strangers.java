package org.kblake.transfer.collect;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.transfer.TransferLog;

/**
 * Connections that have not yet said who they are. One that does not within the timeout is closed;
 * if there are too many, the oldest is. Thread safe.
 */
public final class Strangers implements Closeable {

  private static final int MAX = 32;
  private static final long LINE_NANOS = 60_000_000_000L;

  private final Duration timeout;
  private final TransferLog log;
  private final Map<SocketChannel, Future<?>> channels = new LinkedHashMap<>();
  private final ScheduledThreadPoolExecutor clock;
  private long saidNanos = System.nanoTime() - LINE_NANOS;
  private long unsaid;

  /** Begins with no connection. */
  public Strangers(Duration timeout, TransferLog log) {
    this.timeout = timeout;
    this.log = log;
    clock =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "kblake-gather-deadlines");
              thread.setDaemon(true);
              return thread;
            });
    clock.setRemoveOnCancelPolicy(true);
  }

  /** Adds a connection. */
  public void add(SocketChannel channel) {
    SocketChannel oldest = put(channel);
    if (oldest != null) {
      // Before its end is reported, too: a minute has one line.
      warn("too many connections do not say who they are");
      close(oldest);
    }
  }

  private synchronized @Nullable SocketChannel put(SocketChannel channel) {
    SocketChannel oldest = channels.size() < MAX ? null : channels.keySet().iterator().next();
    if (oldest != null) {
      boolean unused = remove(oldest);
    }
    channels.put(
        channel, clock.schedule(() -> expire(channel), timeout.toNanos(), TimeUnit.NANOSECONDS));
    return oldest;
  }

  /**
   * Removes a connection, since it has said who it is, or has ended.
   *
   * @return false if it is closed
   */
  public synchronized boolean remove(SocketChannel channel) {
    Future<?> deadline = channels.remove(channel);
    return deadline != null && deadline.cancel(false);
  }

  private void expire(SocketChannel channel) {
    synchronized (this) {
      channels.remove(channel);
    }
    close(channel);
  }

  private static void close(SocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      // It is not used any more
    }
  }

  /** Says what is wrong with a connection, at most once a minute. */
  public void warn(String problem) {
    long more;
    synchronized (this) {
      long now = System.nanoTime();
      if (now - saidNanos < LINE_NANOS) {
        unsaid++;
        return;
      }
      saidNanos = now;
      more = unsaid;
      unsaid = 0;
    }
    log.warn(problem + (more == 0 ? "" : ", other connections that failed since=" + more));
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
