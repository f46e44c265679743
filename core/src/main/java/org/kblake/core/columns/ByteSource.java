package org.kblake.core.columns;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** Positional reads from one file. The opener closes it. */
public interface ByteSource extends Closeable {

  /** Returns the file, for messages. */
  Path file();

  /** Returns the length of the file in bytes. */
  long size() throws IOException;

  /**
   * Fills the buffer from its position to its limit with the file's bytes from an offset on.
   *
   * @throws CorruptBlockException if the file ends earlier
   */
  void read(long offset, ByteBuffer into) throws IOException;
}
