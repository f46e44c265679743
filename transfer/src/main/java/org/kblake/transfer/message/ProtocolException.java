package org.kblake.transfer.message;

import java.io.IOException;

/** The error of a connection whose bytes are not those of this protocol. */
public final class ProtocolException extends IOException {

  private static final long serialVersionUID = 1L;

  public ProtocolException(String message) {
    super(message);
  }
}
