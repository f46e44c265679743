package org.kblake.cli.error;

/** What a command's exit status means; every command's help lists these. */
public final class ExitStatus {

  public static final int DONE = 0;

  /** A request that cannot be answered: an unknown channel, a store that is locked. */
  public static final int NOT_ANSWERED = 1;

  /** A command line or a configuration that makes no sense. */
  public static final int WRONG_USAGE = 2;

  /** What could be written is written, but a part is missing; standard error says which. */
  public static final int INCOMPLETE = 3;

  /** Stopped by Ctrl-C; the JVM exits so by itself. */
  public static final int INTERRUPTED = 130;

  private ExitStatus() {}
}
