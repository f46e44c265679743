package org.kblake.transfer.collect;

import java.io.IOException;

/** The error of a file that is not the one whose bytes a builder has. */
final class ChangedFileException extends IOException {

  private static final long serialVersionUID = 1L;

  ChangedFileException(String message) {
    super(message);
  }
}
