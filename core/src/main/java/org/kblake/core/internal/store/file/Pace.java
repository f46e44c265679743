package org.kblake.core.internal.store.file;

import java.io.IOException;

/**
 * A limit of the rate of reads or writes. It is called before bytes are read or written, and may
 * wait, so that background work leaves the disk to other processes. Safe for many threads.
 */
@FunctionalInterface
public interface Pace {

  /** No limit. */
  Pace FREE = bytes -> {};

  /**
   * Waits until a number of bytes may be read or written.
   *
   * @throws java.io.InterruptedIOException if the thread is interrupted; its interrupt status stays
   *     set
   */
  void before(long bytes) throws IOException;
}
