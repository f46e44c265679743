package org.kblake.ingest.internal.pace;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.kblake.core.internal.store.file.Pace;

/**
 * A budget of bytes per second that any number of threads share: each waits until what it requests
 * is due. In no second more bytes are due than the rate says.
 */
public final class RateLimit implements Pace {

  /*
   * Bytes are handed out in pieces, to one thread after the other in the order in which they asked:
   * who requests much at once waits no less for it than who requests little. A piece is due when its
   * own time is over, since the piece before was handed out or was due. A thread is often woken a
   * little late, so up to CREDIT of lost time may be made up for.
   *
   * In a second there may be the pieces of (1 s + CREDIT) at the even rate, and one more that was
   * waited for before: 0.95 x 1.01 + 1 / 25 < 1.
   */

  /** No limit at all. */
  public static final RateLimit NONE = new RateLimit(0);

  /** What is handed out at once, at most. */
  static final int LARGEST_PIECE_BYTES = 1 << 18;

  private static final int PIECES_PER_SECOND = 25;
  private static final double EVEN_SHARE = 0.95;
  private static final long CREDIT_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  /** The time that passes while one waits. */
  interface Time {

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

    /** As {@link System#nanoTime} counts. */
    long nanos();

    void sleep(long nanos) throws InterruptedException;
  }

  private final long bytesPerSecond;
  private final Time time;
  private final ReentrantLock turn = new ReentrantLock(true);
  private long dueNanos;

  /**
   * @param bytesPerSecond 0 for no limit
   */
  public RateLimit(long bytesPerSecond) {
    this(bytesPerSecond, Time.REAL);
  }

  /** As {@link #RateLimit(long)}, in another time. */
  RateLimit(long bytesPerSecond, Time time) {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException("I/O limit is negative: ioLimit=" + bytesPerSecond);
    }
    this.bytesPerSecond = bytesPerSecond;
    this.time = time;
    dueNanos = time.nanos();
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
    for (long left = bytes; left > 0; left -= pieceBytes(left)) {
      takePiece(pieceBytes(left));
    }
  }

  private long pieceBytes(long bytes) {
    long most = Math.min(LARGEST_PIECE_BYTES, bytesPerSecond / PIECES_PER_SECOND);
    return Math.min(bytes, Math.max(1, most));
  }

  private void takePiece(long bytes) throws InterruptedException {
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
   * @param bytes that are wanted, at least 1
   * @return how many of them are due, at least 1
   */
  int grant(int bytes) throws InterruptedIOException {
    if (bytesPerSecond == 0) {
      return bytes;
    }
    int granted = (int) pieceBytes(bytes);
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
