package org.kblake.cli.command.store;

import org.jspecify.annotations.Nullable;
import org.kblake.cli.argument.ByteSize;
import org.kblake.cli.command.shared.CodecName;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Value;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.ingest.internal.backfill.BackfillSettings;

/** Options of the commands that write columns. */
final class WriteOptions {

  private final ThreadsOption threads;
  private final Value<CodecName> codec;

  /** Adds the options to a command. */
  WriteOptions(Options options) {
    threads = new ThreadsOption(options);
    codec =
        options.preset(
            CodecName.class,
            "lz4",
            "CODEC",
            "Compress columns with one of ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.",
            "--codec");
  }

  /** Returns the number of threads. */
  int threads() {
    return threads.count();
  }

  /** Returns the form of blocks to write for the readers of a store. */
  WriteProfile profile(StoreProfile readers) {
    return new WriteProfile(codec.get().codec(), readers.lake());
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
