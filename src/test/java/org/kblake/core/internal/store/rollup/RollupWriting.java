package org.kblake.core.internal.store.rollup;

/** Sets which rollups blocks of this process keep. Only the package of rollups can. */
public final class RollupWriting {

  private RollupWriting() {}

  /** Keeps a row for each number of events, of any size. The usual limits suit no small block. */
  public static void keep(int eventsPerRow) {
    RollupLimits.set(new RollupLimits(eventsPerRow, 1e9));
  }

  /** Sets the usual limits. */
  public static void reset() {
    RollupLimits.set(RollupLimits.STANDARD);
  }
}
