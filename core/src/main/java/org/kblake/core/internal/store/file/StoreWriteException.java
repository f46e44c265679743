package org.kblake.core.internal.store.file;

import java.io.IOException;

/**
 * The error of a write to the store's disk, which is full, read-only or broken. It concerns every
 * group. An error of a read concerns only the group whose blocks are read. The message and cause
 * are those of the operating system.
 */
public final class StoreWriteException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param cause the error of the operating system
   */
  public StoreWriteException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
