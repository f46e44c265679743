package org.kblake.cli.error;

/**
 * A wrong command line, or a missing or wrong setting. The message is one line for the user, and
 * the exit status is 2.
 */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
