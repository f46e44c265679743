package org.kblake.hbase.layout;

import java.io.IOException;
import org.apache.hadoop.hbase.util.Bytes;

/** A row whose bytes are not in the layout of kblake. */
public final class CorruptRowException extends IOException {

  private static final long serialVersionUID = 1;

  /**
   * @param what the contradiction
   * @param row the key of the row
   */
  public CorruptRowException(String what, byte[] row) {
    super(what + ": row=" + Bytes.toStringBinary(row) + "; the table has other rows than kblake's");
  }
}
