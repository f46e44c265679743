package org.kblake.cli.command.store;

import org.kblake.cli.command.shared.CodecName;
import org.kblake.cli.command.shared.StoreProfile;
import org.kblake.cli.error.UsageException;
import org.kblake.cli.frame.OptionalValue;
import org.kblake.cli.frame.Options;
import org.kblake.cli.frame.Value;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.format.argument.ByteSize;
import org.kblake.ingest.internal.backfill.BackfillSettings;

/** Options of the commands that write columns. */
final class WriteOptions {

  /** The advice for a command that was stopped or failed. */
  static final String ADVICE = "blocks made so far stay; to continue, run the same command again";

  private final ThreadsOption threads;
  private final Value<CodecName> codec;
  private final Value<ByteSize> memory;
  private final OptionalValue<ByteSize> ioLimit;

  /**
   * Adds the options to a command.
   *
   * @param preset the default of --memory
   * @param events what happens to the events in this memory, for the help
   * @param limited which bytes --io-limit limits, for the help
   */
  WriteOptions(Options options, String preset, String events, String limited) {
    threads = new ThreadsOption(options);
    codec =
        options.preset(
            CodecName.class,
            "lz4",
            "CODEC",
            "Compress columns with one of ${COMPLETION-CANDIDATES}; default: ${DEFAULT-VALUE}.",
            "--codec");
    memory =
        options.preset(
            ByteSize.class,
            preset,
            "SIZE",
            "Memory for events that "
                + events
                + ", at least 16M. The process needs up to 192 MiB more."
                + " Default: ${DEFAULT-VALUE}.",
            "--memory");
    ioLimit =
        options.value(
            ByteSize.class,
            "SIZE",
            "Limit of bytes per second that are " + limited + "; default: no limit.",
            "--io-limit");
  }

  /** Returns the number of threads. */
  int threads() {
    return threads.count();
  }

  /** Returns the profile in which blocks are written for the readers of a store. */
  WriteProfile profile(StoreProfile readers) {
    return new WriteProfile(codec.get().codec(), readers.lake());
  }

  /** Returns the memory for events. */
  long memoryBytes() {
    return memory.get().bytes();
  }

  /** Returns the limit of bytes per second; 0 for none. */
  long ioLimitBytes() {
    ByteSize limit = ioLimit.get();
    return limit == null ? 0 : limit.bytes();
  }

  /**
   * Checks the values.
   *
   * @throws UsageException if one is too small
   */
  void check() {
    int unused = threads.count();
    if (memoryBytes() < BackfillSettings.MIN_MEMORY_BYTES) {
      throw new UsageException(
          "--memory must be at least %s, found %s"
              .formatted(new ByteSize(BackfillSettings.MIN_MEMORY_BYTES), memory.get()));
    }
    if (ioLimit.isGiven() && ioLimitBytes() == 0) {
      throw new UsageException("--io-limit 0 allows no read; omit it for no limit");
    }
  }
}
