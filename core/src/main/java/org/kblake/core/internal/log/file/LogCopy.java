package org.kblake.core.internal.log.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;

/**
 * Bytes of a pair that are at hand, beside the archive: its index, and stretches of its log that
 * read there as they do here. Never changes; safe for many threads.
 */
public interface LogCopy {

  /** The whole index, as it was when the log was copied last. */
  ByteBuffer index();

  /** When the index was changed that was copied. */
  FileTime indexModified();

  /** When the log was changed that was copied. */
  FileTime logModified();

  /** The log as its file system names it, so that another one under its name is noticed. */
  String key();

  /** Whether the pair was closed, and all of its log is here. */
  boolean closed();

  /** The end of what is here of the log. */
  long endOffset();

  /** Where the log is here without a hole up to {@link #endOffset}. */
  long fromOffset();

  /** Begins to read; for one thread. */
  Reader open() throws IOException;

  /** Reads a copy. */
  interface Reader extends Closeable {

    /**
     * Puts bytes of the log into a buffer, as many as there are here and fit.
     *
     * @return how many; 0 if the byte at the offset is not here
     */
    int read(ByteBuffer into, long offset) throws IOException;
  }
}
