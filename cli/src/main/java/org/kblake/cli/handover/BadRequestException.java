package org.kblake.cli.handover;

import java.io.IOException;

/** A line of a request or an answer has invalid content. */
public final class BadRequestException extends IOException {

  private static final long serialVersionUID = 1L;

  public BadRequestException(String message) {
    super("request " + message);
  }
}
