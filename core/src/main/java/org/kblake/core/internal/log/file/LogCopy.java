package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;

/**
 * A copy of a pair outside of the archive: the whole index, and spans of the log with the same
 * bytes as in the archive. Immutable; safe for many threads.
 */
public interface LogCopy {

  /** Returns the whole index, as it was when the log was last copied. */
  ByteBuffer index();

  /** Returns the modification time of the copied index. */
  FileTime indexModified();

  /** Returns the modification time of the copied log. */
  FileTime logModified();

  /**
   * Returns the identity of the log in its file system. It differs from that of another file with
   * the same name.
   */
  String key();

  /** Returns whether the pair was closed and the copy has the whole log. */
  boolean closed();

  /** Returns the end of the copied span. */
  long endOffset();

  /** Returns the offset from which the copy has the log without a gap up to {@link #endOffset}. */
  long fromOffset();

  /** Opens a reader for one thread. */
  Reader open() throws IOException;

  /** A reader of a copy. */
  interface Reader extends Closeable {

    /**
     * Reads bytes of the log into a buffer, as many as the copy has and the buffer has room for.
     *
     * @return the number of bytes; 0 if the copy does not have the byte at the offset
     */
    int read(ByteBuffer into, long offset) throws IOException;
  }
}
