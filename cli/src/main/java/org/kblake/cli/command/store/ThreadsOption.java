package org.kblake.cli.command.store;

import org.kblake.cli.error.UsageException;
import picocli.CommandLine.Option;

/** The option of the number of cores that a command uses. */
final class ThreadsOption {

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "Number of cores to use; default: all.")
  private int threads = Runtime.getRuntime().availableProcessors();

  /**
   * Returns the number of threads.
   *
   * @throws UsageException if it is too small
   */
  int count() {
    if (threads < 1) {
      throw new UsageException("--threads must be at least 1, found " + threads);
    }
    return threads;
  }
}
