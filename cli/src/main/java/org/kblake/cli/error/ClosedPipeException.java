package org.kblake.cli.error;

import java.io.IOException;

/**
 * The reader of standard output has ended, as in {@code kblake get ... | head}. This is not an
 * error.
 */
public final class ClosedPipeException extends IOException {

  private static final long serialVersionUID = 1L;

  public ClosedPipeException(IOException cause) {
    super("the reader of standard output has ended", cause);
  }
}
