package org.kblake.ingest;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.kblake.core.store.Pace;

/**
 * A budget of bytes per second that any number of threads share: each waits until what it asks for
 * is due. Who asks for pieces of a tenth of a second's bytes is served evenly.
 */
public final class RateLimit implements Pace {

  /** No limit at all. */
  public static final RateLimit NONE = new RateLimit(0);

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private final long bytesPerSecond;
  private long freeAtNanos = System.nanoTime();

  /**
   * @param bytesPerSecond 0 for no limit
   */
  public RateLimit(long bytesPerSecond) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + bytesPerSecond);
    }
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Of reads and writes; 0 for no limit. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Returns when these bytes are due. */
  void take(long bytes) throws InterruptedException {
    if (bytesPerSecond == 0) {
      return;
    }
    long waitNanos;
    synchronized (this) {
      long now = System.nanoTime();
      long takesNanos = (long) (bytes * NANOS_PER_SECOND / bytesPerSecond);
      freeAtNanos = (freeAtNanos - now > 0 ? freeAtNanos : now) + takesNanos;
      waitNanos = freeAtNanos - now;
    }
    TimeUnit.NANOSECONDS.sleep(waitNanos);
  }

  @Override
  public void before(long bytes) throws InterruptedIOException {
    try {
      take(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("stopped while it waited for its share of the disk");
    }
  }
}
