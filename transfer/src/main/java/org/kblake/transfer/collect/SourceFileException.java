package org.kblake.transfer.collect;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The error of a file that cannot be read, which concerns its group only. */
sealed class SourceFileException extends IOException permits ChangedFileException {

  private static final long serialVersionUID = 1L;

  SourceFileException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
