package org.kblake.core.internal.store.rollup;

/**
 * Which rollups a block keeps.
 *
 * @param eventsPerRow a width of a channel is kept if it has at most one row for so many events
 * @param share the largest share of the bytes of events that all rollups take
 */
record RollupLimits(int eventsPerRow, double share) {

  /** The limits of all stores. */
  static final RollupLimits STANDARD = new RollupLimits(256, 0.05);

  /** Blocks of tests are small. */
  private static volatile RollupLimits present = STANDARD;

  static RollupLimits present() {
    return present;
  }

  /** Replaces the limits of this process, for tests. */
  static void set(RollupLimits limits) {
    present = limits;
  }

  /** Returns whether a width is kept. */
  boolean keeps(long rows, long events) {
    return rows * eventsPerRow <= events;
  }

  /**
   * Returns the largest number of rows of a channel in a row group. A channel with more rows has
   * too many for the coarsest width, too, unless its events are very unevenly distributed.
   */
  int mostRows(long events) {
    return (int) (events / Math.max(1, eventsPerRow / 16)) + 16;
  }
}
