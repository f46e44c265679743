package org.kblake.benchmarks.wear;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.LogCopy;
import org.kblake.core.internal.mirror.Mirror;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.log.PairName;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;

/**
 * A simulated day of one group, in less time than a day. Each step appends ten minutes of events,
 * waits until the mirror has them, ends the segment, and waits until it is a block and no merge is
 * due. The clock of the service follows the events, so that merges happen as in a day.
 */
final class FollowedDay {

  private static final Group GROUP = new Group("RF", "Wear");
  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long STEP_NANOS = TimeUnit.MINUTES.toNanos(10);

  /** The interval of a channel's events in rf-year is similar. */
  private static final long EVENT_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(7);

  private static final Duration POLL = Duration.ofMillis(10);

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final Path root;
  private final Path storePath;
  private final @Nullable Path mirror;
  private final int records;
  private final int steps;
  private final SplittableRandom random = new SplittableRandom(1);
  private final double[] values;
  private final Counters counters = new Counters();
  private volatile Instant now = Instant.parse("2024-03-01T15:00:00Z");
  private long nanos = TimeUnit.SECONDS.toNanos(now.getEpochSecond());

  /**
   * @param root the archive, an empty directory
   * @param mirror the directory of the mirror; null for none
   */
  FollowedDay(Path root, Path storePath, @Nullable Path mirror, int records, int hours) {
    this.root = root;
    this.storePath = storePath;
    this.mirror = mirror;
    this.records = records;
    steps = hours * 6;
    values = new double[records];
  }

  /**
   * The bytes of a followed day.
   *
   * @param log bytes of log
   * @param stored bytes of columns at the end
   * @param blocks number of blocks at the end
   * @param sealed number of blocks that were made of log
   * @param merged number of blocks that were merged into larger ones
   * @param columns bytes of all columns that were written, those of merged blocks included
   */
  record Outcome(long log, long stored, int blocks, long sealed, long merged, long columns) {}

  /** Follows the day. */
  Outcome follow() throws IOException, InterruptedException {
    ArchiveSettings settings = ArchiveSettings.defaults().withZone(ZONE);
    Archive archive =
        Archive.open(root, settings.withSettleNanos(TimeUnit.MILLISECONDS.toNanos(10)));
    StoreIdentity identity =
        StoreIdentity.of(
            archive.root(),
            ZONE.getId(),
            archive.settings().disorderBoundNanos(),
            "kekblog",
            "standard");
    String stamp = PairName.at(GROUP.name(), nanos, ZONE).stamp();
    List<RecordEntry> entries = new ArrayList<>();
    for (int i = 0; i < records; i++) {
      entries.add(new RecordEntry(i, "RF:WEAR:" + i, ValueType.DOUBLE, 1));
      values[i] = 100 * random.nextDouble();
    }
    try (Store store = Store.openForWriting(storePath, identity);
        LogWriter writer =
            LogWriter.create(root, GROUP, stamp, ByteOrder.BIG_ENDIAN, new RecordTable(entries))) {
      writer.milestone(nanos);
      writer.flush();
      FollowService service =
          new FollowService(
              archive, store, settings(), counters, FollowListener.NONE, new Following(), null);
      Thread thread = new Thread(() -> run(service), "kblake run");
      thread.start();
      try {
        for (int step = 0; step < steps; step++) {
          step(writer, stamp);
        }
        now = now.plus(Duration.ofHours(1));
        awaitMerges();
      } finally {
        thread.interrupt();
        thread.join();
      }
      return outcome(store, writer.logBytes());
    }
  }

  private FollowSettings settings() {
    return new FollowSettings(
        List.of(),
        POLL,
        Duration.ZERO,
        1,
        0,
        Duration.ofMillis(100),
        2,
        256 << 20,
        0,
        Duration.ZERO,
        WriteProfile.STANDARD,
        null,
        CacheSettings.EVERYTHING,
        mirror);
  }

  private static void run(FollowService service) {
    try {
      service.run();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void step(LogWriter writer, String stamp) throws IOException, InterruptedException {
    long end = nanos + STEP_NANOS;
    long mostGap = 2 * EVENT_INTERVAL_NANOS / records;
    long at = nanos;
    for (int i = 0; ; i = (i + 1) % records) {
      at += 1 + random.nextLong(mostGap);
      if (at >= end) {
        break;
      }
      values[i] += random.nextDouble() - 0.5;
      double reading = Math.rint(values[i] * 64) / 64;
      writer.number(i, at, 0, 0, Double.doubleToRawLongBits(reading));
    }
    nanos = end;
    now = Instant.ofEpochSecond(0, end);
    writer.flush();
    long bytes = writer.logBytes();
    if (mirror != null) {
      // Zeros at the end of the last value count only when bytes follow.
      await("the mirror", () -> mirrored(stamp) + Double.BYTES >= bytes);
    }
    long sealed = counters.get(Count.SEALED_BLOCKS);
    writer.milestone(end);
    writer.flush();
    await("a block", () -> counters.get(Count.SEALED_BLOCKS) > sealed);
    awaitMerges();
  }

  private long mirrored(String stamp) {
    Mirror present = Mirror.of(storePath);
    LogCopy copy = present == null ? null : present.copy(GROUP, stamp);
    return copy == null ? 0 : copy.endOffset();
  }

  /** Waits until a whole search for merges has found none. */
  private void awaitMerges() throws IOException, InterruptedException {
    long merged;
    do {
      merged = counters.get(Count.MERGED_BLOCKS);
      // The present search may have begun before the newest block was made.
      awaitSearch();
      awaitSearch();
    } while (merged != counters.get(Count.MERGED_BLOCKS));
  }

  /** Waits until a search for merges ends, with the merges that it does. */
  private void awaitSearch() throws IOException, InterruptedException {
    long spent = counters.get(Count.MERGING_NANOS);
    await("a search for merges", () -> counters.get(Count.MERGING_NANOS) > spent);
  }

  private static void await(String what, BooleanSupplier condition)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - begin > TIMEOUT_NANOS) {
        throw new IOException("no sign of " + what + " within a minute");
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  private Outcome outcome(Store store, long log) throws IOException {
    long stored = 0;
    List<Block> blocks = store.blocks(GROUP, problem -> {});
    for (Block block : blocks) {
      stored += block.storedBytes();
    }
    return new Outcome(
        log,
        stored,
        blocks.size(),
        counters.get(Count.SEALED_BLOCKS),
        counters.get(Count.MERGED_BLOCKS),
        counters.get(Count.STORED_BYTES));
  }

  /** The clock of the service, which shows the end of the present step. */
  private final class Following extends Clock {

    @Override
    public ZoneId getZone() {
      return ZONE;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }

    @Override
    public Instant instant() {
      return now;
    }
  }

  /** Returns an existing directory for an archive below a directory. */
  static Path newArchive(Path directory) throws IOException {
    return Files.createDirectories(directory.resolve("archive"));
  }
}
