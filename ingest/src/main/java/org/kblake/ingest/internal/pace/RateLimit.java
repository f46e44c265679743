package org.kblake.ingest.internal.pace;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.kblake.core.internal.store.file.Pace;

/**
 * A limit of bytes per second that any number of threads share. Each thread waits until its bytes
 * are due. The bytes that are due in any second do not exceed the rate.
 */
public final class RateLimit implements Pace {

  /*
   * Bytes are granted some at a time, to one thread after the other in the order of their
   * requests. A thread with a large request waits as long for a grant as one with a small request.
   * The time of a grant is its size divided by the rate. A grant is due when this time has passed
   * since the previous one was given or was due. Threads often wake a little late. Up to CREDIT of
   * the lost time is granted later.
   *
   * In a second at most the grants of (1 s + CREDIT) at the even rate are granted, and one more
   * for which a thread began to wait before: 0.95 x 1.01 + 1 / 25 < 1.
   */

  /** No limit. */
  public static final RateLimit NONE = new RateLimit(0);

  /** The most bytes that are granted at once. */
  static final int MAX_GRANT_BYTES = 1 << 18;

  private static final int GRANTS_PER_SECOND = 25;
  private static final double EVEN_SHARE = 0.95;
  private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** A clock with a way to wait. */
  public interface Time {

    /** The clock of the system. */
    Time REAL =
        new Time() {
          @Override
          public long nanos() {
            return System.nanoTime();
          }

          @Override
          public void sleep(long nanos) throws InterruptedException {
            TimeUnit.NANOSECONDS.sleep(nanos);
          }
        };

    /** Returns the time, as {@link System#nanoTime} counts. */
    long nanos();

    void sleep(long nanos) throws InterruptedException;
  }

  private final long bytesPerSecond;
  private final Time time;
  private final ReentrantLock turn = new ReentrantLock(true);
  private long dueNanos;

  /**
   * @param bytesPerSecond the rate; 0 for no limit
   */
  public RateLimit(long bytesPerSecond) {
    this(bytesPerSecond, Time.REAL);
  }

  /** Creates a limit with a clock. */
  public RateLimit(long bytesPerSecond, Time time) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + bytesPerSecond);
    }
    this.bytesPerSecond = bytesPerSecond;
    this.time = time;
    dueNanos = time.nanos();
  }

  /** Returns the rate of reads and writes; 0 for no limit. */
  public long bytesPerSecond() {
    return bytesPerSecond;
  }

  /** Waits until these bytes are due. */
  void take(long bytes) throws InterruptedException {
    if (bytesPerSecond == 0) {
      return;
    }
    for (long left = bytes; left > 0; left -= grantBytes(left)) {
      takeGrant(grantBytes(left));
    }
  }

  private long grantBytes(long bytes) {
    long most = Math.min(MAX_GRANT_BYTES, bytesPerSecond / GRANTS_PER_SECOND);
    return Math.min(bytes, Math.max(1, most));
  }

  private void takeGrant(long bytes) throws InterruptedException {
    turn.lockInterruptibly();
    try {
      long now = time.nanos();
      long takesNanos = (long) (bytes * NANOS_PER_SECOND / (EVEN_SHARE * bytesPerSecond));
      long earliestNanos = now - CREDIT_NANOS;
      long due = (dueNanos - earliestNanos > 0 ? dueNanos : earliestNanos) + takesNanos;
      time.sleep(due - now);
      dueNanos = due;
    } finally {
      turn.unlock();
    }
  }

  /**
   * Waits until some bytes are due.
   *
   * @param bytes the requested bytes, at least 1
   * @return the number of bytes that are due, at least 1
   */
  int grant(int bytes) throws InterruptedIOException {
    if (bytesPerSecond == 0) {
      return bytes;
    }
    int granted = (int) grantBytes(bytes);
    before(granted);
    return granted;
  }

  @Override
  public void before(long bytes) throws InterruptedIOException {
    try {
      take(bytes);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waited for the I/O limit");
    }
  }
}
