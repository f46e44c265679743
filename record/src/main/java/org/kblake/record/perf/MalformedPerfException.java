package org.kblake.record.perf;

import java.io.IOException;

/** The bytes are none that perf writes. */
final class MalformedPerfException extends IOException {

  private static final long serialVersionUID = 1;

  MalformedPerfException(String message) {
    super(message);
  }
}
