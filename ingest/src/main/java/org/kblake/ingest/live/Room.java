package org.kblake.ingest.live;

/** What the budget leaves, as it was last looked at. Safe for many threads. */
final class Room {

  /** A store that has no block yet: columns are said to take a quarter of the log. */
  private static final double USUAL_RATIO = 0.25;

  private volatile long bytes;
  private volatile double ratio = USUAL_RATIO;
  private volatile boolean guessed = true;

  /**
   * @param bounded whether there is a budget: until it was looked at, there is no room
   */
  Room(boolean bounded) {
    bytes = bounded ? 0 : Long.MAX_VALUE;
  }

  /**
   * @param roomBytes what may be added before something has to go, {@link Long#MAX_VALUE} without
   *     bound
   * @param storedBytes of all blocks
   * @param logBytes that they are the image of
   */
  void set(long roomBytes, long storedBytes, long logBytes) {
    bytes = roomBytes;
    guessed = logBytes == 0;
    ratio = logBytes == 0 ? USUAL_RATIO : (double) storedBytes / logBytes;
  }

  /**
   * How many bytes of log may be put into columns without anything having to go. As long as what
   * columns take is a guess, the half of it.
   */
  long logBytes() {
    if (bytes == Long.MAX_VALUE) {
      return bytes;
    }
    double most = bytes / ratio;
    return Math.max(0, (long) (guessed ? most / 2 : most));
  }

  /** What bytes of log will take in columns. */
  long storedBytes(long ofLog) {
    return (long) (ofLog * ratio);
  }
}
