package org.kblake.format;

import java.io.IOException;

/**
 * Writes the rows of one answer in one format. The writer is made for a root, which the caller
 * fills. The caller calls {@link #write} for each batch, and closes the stream below. Not thread
 * safe.
 */
public interface AnswerWriter extends AutoCloseable {

  /** Writes the rows of the root. */
  void write() throws IOException;

  /** Writes the end of the output, and flushes it. The output is incomplete without it. */
  void finish() throws IOException;

  /** Frees the writer's memory. Writes nothing. */
  @Override
  void close();
}
