package org.kblake.cli.command.store;

import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Options;

/** The option of the number of cores that a command uses. */
final class ThreadsOption {

  private final OptionalValue<Integer> threads;

  /** Adds the option to a command. */
  ThreadsOption(Options options) {
    threads = options.value(int.class, "N", "Number of cores to use; default: all.", "--threads");
  }

  /**
   * Returns the number of threads.
   *
   * @throws UsageException if it is too small
   */
  int count() {
    Integer given = threads.get();
    int count = given == null ? Runtime.getRuntime().availableProcessors() : given;
    if (count < 1) {
      throw new UsageException("--threads must be at least 1, found " + count);
    }
    return count;
  }
}
