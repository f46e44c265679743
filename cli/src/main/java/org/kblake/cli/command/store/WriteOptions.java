package org.kblake.cli.command.store;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.ByteSize;
import org.kblake.cli.command.shared.CodecName;
import org.kblake.cli.error.UsageException;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options of the commands that write columns. */
final class WriteOptions {

  @Mixin private final ThreadsOption threads = new ThreadsOption();

  @Option(
      names = "--codec",
      paramLabel = "CODEC",
      defaultValue = "lz4",
      description =
          "Compress columns with one of ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.")
  CodecName codec = CodecName.lz4;

  /** Returns the number of threads. */
  int threads() {
    return threads.count();
  }

  /**
   * Checks these options and those that each command describes itself.
   *
   * @throws UsageException if a value is too small
   */
  void check(ByteSize memory, @Nullable ByteSize ioLimit) {
    int unused = threads.count();
    if (memory.bytes() < BackfillSettings.LEAST_MEMORY_BYTES) {
      throw new UsageException(
          "--memory must be at least %s, found %s"
              .formatted(new ByteSize(BackfillSettings.LEAST_MEMORY_BYTES), memory));
    }
    if (ioLimit != null && ioLimit.bytes() == 0) {
      throw new UsageException("--io-limit 0 allows no read; omit it for no limit");
    }
  }
}
