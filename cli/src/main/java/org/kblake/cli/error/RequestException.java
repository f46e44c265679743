package org.kblake.cli.error;

/**
 * A request that cannot be answered. The message is one line for the user, and the exit status is
 * 1.
 */
public final class RequestException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public RequestException(String message) {
    super(message);
  }
}
