package org.kblake.cli.format;

import java.io.IOException;

/**
 * Writes the rows of one answer in one format. It looks at the root it was made for: whoever fills
 * the root calls {@link #write} for each batch. Not thread safe; the stream below stays the
 * caller's.
 */
public interface AnswerWriter extends AutoCloseable {

  /** Writes the rows that the root has now. */
  void write() throws IOException;

  /**
   * Writes what belongs behind the last row, and flushes. Without it the output is not complete.
   */
  void finish() throws IOException;

  /** Frees what the writer holds; writes nothing. */
  @Override
  void close();
}
