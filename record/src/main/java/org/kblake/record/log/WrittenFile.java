package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file that is written. */
public interface WrittenFile extends Closeable {

  /**
   * Writes bytes at an offset of the file.
   *
   * @param bytes from its position to its limit; the position moves behind what was written, also
   *     if the write fails
   */
  void write(ByteBuffer bytes, long offset) throws IOException;

  /** Syncs the bytes to the disk. */
  void force() throws IOException;
}
