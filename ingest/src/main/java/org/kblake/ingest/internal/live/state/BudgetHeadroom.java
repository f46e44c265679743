package org.kblake.ingest.internal.live.state;

/** What the budget leaves, as it was last looked at. Safe for many threads. */
public final class BudgetHeadroom {

  /** A store that has no block yet: columns are said to take a quarter of the log. */
  private static final double USUAL_RATIO = 0.25;

  private volatile long bytes;
  private volatile long stored;
  private volatile double ratio = USUAL_RATIO;
  private volatile boolean guessed = true;
  private long looks;
  private volatile long besideBytes;

  /**
   * @param bounded whether there is a budget: until it was looked at, there is no room
   */
  public BudgetHeadroom(boolean bounded) {
    bytes = bounded ? 0 : Long.MAX_VALUE;
  }

  /**
   * @param headroomBytes what may be added before something has to go, {@link Long#MAX_VALUE}
   *     without bound
   * @param storedBytes of all blocks
   * @param logBytes that they are the image of
   */
  public synchronized void set(long headroomBytes, long storedBytes, long logBytes) {
    bytes = headroomBytes;
    stored = storedBytes;
    guessed = logBytes == 0;
    ratio = logBytes == 0 ? USUAL_RATIO : (double) storedBytes / logBytes;
    looks++;
    notifyAll();
  }

  /** Some of it is used up, until it is looked at again. */
  public synchronized void take(long ofLog) {
    if (bytes != Long.MAX_VALUE) {
      bytes -= storedBytes(ofLog);
    }
  }

  /** Whether what there is is known; without a budget it always is. */
  public synchronized boolean looked() {
    return bytes == Long.MAX_VALUE || looks > 0;
  }

  /** Returns when it was looked at once more. */
  public synchronized void awaitLook() throws InterruptedException {
    long seen = looks;
    while (looks == seen) {
      wait();
    }
  }

  /** Whether something has to go already. */
  public boolean overdrawn() {
    return bytes < 0;
  }

  /** How many bytes of log the whole store may hold, by what those in it take. */
  public long wholeLogBytes() {
    return bytes == Long.MAX_VALUE ? bytes : (long) ((bytes + stored) / ratio);
  }

  /** What counts in the budget beside blocks. */
  public void beside(long ofMirror) {
    besideBytes = ofMirror;
  }

  public long besideBytes() {
    return besideBytes;
  }

  /**
   * How many bytes of log may be put into columns without anything having to go. As long as what
   * columns take is a guess, the half of it.
   */
  public long logBytes() {
    if (bytes == Long.MAX_VALUE) {
      return bytes;
    }
    double most = bytes / ratio;
    return Math.max(0, (long) (guessed ? most / 2 : most));
  }

  /** What bytes of log will take in columns. */
  public long storedBytes(long ofLog) {
    return (long) (ofLog * ratio);
  }
}
