package org.kblake.query.internal.rollup;

/** Sets when readers of this process use rollups. Only the package of rollups can. */
public final class RollupReading {

  private RollupReading() {}

  /** Uses rollups in place of few events, too. */
  public static void always() {
    BlockRollups.setPageRows(0);
  }

  /** Uses rollups where they cost less. */
  public static void reset() {
    BlockRollups.setPageRows(BlockRollups.PAGE_ROWS);
  }
}
