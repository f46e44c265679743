package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is written. */
public interface OutputFile extends Closeable {

  /**
   * Writes bytes at an offset of the file. A write that failed may be repeated.
   *
   * @param bytes from its position to its limit; the position moves behind what was written
   */
  void write(ByteBuffer bytes, long offset) throws IOException;

  /** Syncs the bytes to the disk. */
  void force() throws IOException;
}
