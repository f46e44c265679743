package org.kblake.hbase.destination;

import java.io.IOException;
import org.kblake.hbase.cell.CellDigest;
import org.kblake.hbase.cell.StretchCells;

/** The destination of an export. For one thread. */
public interface StretchTarget {

  /** Returns whether a stretch was written with these cells before, or has none. */
  boolean has(Stretch stretch, CellDigest digest) throws IOException, InterruptedException;

  /**
   * Writes a stretch. After an error or a kill, the target is as before, or has a part of the
   * cells. To write the stretch again then completes it.
   *
   * @param digest that of the cells
   */
  void write(Stretch stretch, StretchCells cells, CellDigest digest)
      throws IOException, InterruptedException;
}
