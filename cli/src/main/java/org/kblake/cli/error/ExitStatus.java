package org.kblake.cli.error;

/** The exit statuses of commands. The help of every command lists them. */
public final class ExitStatus {

  public static final int DONE = 0;

  /**
   * The request cannot be answered, for example because of an unknown channel or a locked store.
   */
  public static final int NOT_ANSWERED = 1;

  /** The command line or the configuration is wrong. */
  public static final int WRONG_USAGE = 2;

  /** The output lacks a part, which is named on standard error. */
  public static final int INCOMPLETE = 3;

  /** The command was stopped by Ctrl-C. The JVM itself exits with this status. */
  public static final int INTERRUPTED = 130;

  private ExitStatus() {}
}
