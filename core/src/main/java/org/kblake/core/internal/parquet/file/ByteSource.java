package org.kblake.core.internal.parquet.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.kblake.core.internal.columns.CorruptBlockException;

/** Positional reads from one file. */
public interface ByteSource {

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
