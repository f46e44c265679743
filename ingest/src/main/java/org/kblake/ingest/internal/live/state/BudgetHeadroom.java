package org.kblake.ingest.internal.live.state;

/** The bytes that the budget leaves, as of the last update. Safe for many threads. */
public final class BudgetHeadroom {

  /** The assumed ratio of stored bytes to log bytes while the store has no block. */
  private static final double USUAL_RATIO = 0.25;

  private volatile long bytes;
  private volatile long stored;
  private volatile double ratio = USUAL_RATIO;
  private volatile boolean guessed = true;
  private long updates;
  private volatile long besideBytes;

  /**
   * @param bounded whether there is a budget; if so, there is no headroom until the first update
   */
  public BudgetHeadroom(boolean bounded) {
    bytes = bounded ? 0 : Long.MAX_VALUE;
  }

  /**
   * @param headroomBytes bytes that may be added before a block has to be evicted; {@link
   *     Long#MAX_VALUE} without bound
   * @param storedBytes stored bytes of all blocks
   * @param logBytes bytes of the log in these blocks
   */
  public synchronized void set(long headroomBytes, long storedBytes, long logBytes) {
    bytes = headroomBytes;
    stored = storedBytes;
    guessed = logBytes == 0;
    ratio = logBytes == 0 ? USUAL_RATIO : (double) storedBytes / logBytes;
    updates++;
    notifyAll();
  }

  /** Subtracts the stored bytes of some log from the headroom, until the next update. */
  public synchronized void take(long ofLog) {
    if (bytes != Long.MAX_VALUE) {
      bytes -= storedBytes(ofLog);
    }
  }

  /** Returns whether the headroom is known. Without a budget it always is. */
  public synchronized boolean isKnown() {
    return bytes == Long.MAX_VALUE || updates > 0;
  }

  /** Waits for the next update. */
  public synchronized void awaitUpdate() throws InterruptedException {
    long seen = updates;
    while (updates == seen) {
      wait();
    }
  }

  /** Returns whether blocks have to be evicted now. */
  public boolean overdrawn() {
    return bytes < 0;
  }

  /** Returns the bytes of log that the whole store may hold, at the present ratio. */
  public long wholeLogBytes() {
    return bytes == Long.MAX_VALUE ? bytes : (long) ((bytes + stored) / ratio);
  }

  /** Sets the bytes of the mirror, which count in the budget, too. */
  public void beside(long ofMirror) {
    besideBytes = ofMirror;
  }

  public long besideBytes() {
    return besideBytes;
  }

  /**
   * Returns the bytes of log that may be put into columns without an eviction. While the ratio is
   * assumed, this is half of the calculated bytes.
   */
  public long logBytes() {
    if (bytes == Long.MAX_VALUE) {
      return bytes;
    }
    double most = bytes / ratio;
    return Math.max(0, (long) (guessed ? most / 2 : most));
  }

  /** Returns the stored bytes that some bytes of log will take. */
  public long storedBytes(long ofLog) {
    return (long) (ofLog * ratio);
  }
}
