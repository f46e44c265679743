package org.kblake.record.importing.appliance;

import java.io.IOException;

/** A line that is no sample, or no header. The message says why. */
final class MalformedSampleException extends IOException {

  private static final long serialVersionUID = 1;

  MalformedSampleException(String message) {
    super(message);
  }
}
