package org.kblake.transfer.collect;

import java.io.IOException;

/** The error of a file that cannot be read, which concerns its group only. */
final class SourceFileException extends IOException {

  private static final long serialVersionUID = 1L;

  SourceFileException(String message, Throwable cause) {
    super(message, cause);
  }
}
