package org.kblake.core.internal.store.rollup;

/** Sets which rollups blocks of this process keep. Only the package of rollups can. */
public final class RollupWriting {

  private RollupWriting() {}

  /** Keeps a row for each number of events, of any size. The usual limits suit no small block. */
  public static void keep(int eventsPerRow) {
    keep(eventsPerRow, 1e9);
  }

  /** Keeps a row for each number of events, up to a share of the bytes of events. */
  public static void keep(int eventsPerRow, double share) {
    RollupLimits.set(new RollupLimits(eventsPerRow, share));
  }

  /** Sets the usual limits. */
  public static void reset() {
    RollupLimits.set(RollupLimits.STANDARD);
  }
}
