package org.kblake.hbase.destination;

import java.io.IOException;
import org.kblake.hbase.cell.BatchCells;
import org.kblake.hbase.cell.CellDigest;

/** The destination of an export. For one thread. */
public interface BatchTarget {

  /** Returns whether a batch was written with these cells before, or has none. */
  boolean has(ExportBatch batch, CellDigest digest) throws IOException, InterruptedException;

  /**
   * Writes a batch. After an error or a kill, the target is as before, or has a part of the cells.
   * To write the batch again then completes it.
   *
   * @param digest that of the cells
   */
  void write(ExportBatch batch, BatchCells cells, CellDigest digest)
      throws IOException, InterruptedException;
}
