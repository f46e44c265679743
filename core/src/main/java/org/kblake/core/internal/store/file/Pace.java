package org.kblake.core.internal.store.file;

import java.io.IOException;

/**
 * Asked before bytes are read or written, and in no hurry to answer: so work in the background
 * leaves the disk to others. Safe for many threads.
 */
@FunctionalInterface
public interface Pace {

  /** As fast as it goes. */
  Pace FREE = bytes -> {};

  /**
   * Returns when these bytes may be read or written.
   *
   * @throws java.io.InterruptedIOException if the thread is interrupted, and stays so
   */
  void before(long bytes) throws IOException;
}
