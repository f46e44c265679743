package org.kblake.cli.error;

/** A setting that is missing or makes no sense: one line for the user, the status is 2. */
public final class UsageException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public UsageException(String message) {
    super(message);
  }

  public UsageException(String message, Throwable cause) {
    super(message, cause);
  }
}
