package org.kblake.core.internal.store.file;

import java.io.IOException;

/**
 * The store's disk does not take what is written: it is full, read-only or broken. That concerns
 * every group; an error of reading concerns the group whose blocks are read. Its message and cause
 * are those of the system.
 */
public final class StoreWriteException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * @param cause what the system says
   */
  public StoreWriteException(IOException cause) {
    super(cause.getMessage(), cause);
  }
}
