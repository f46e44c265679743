package org.kblake.ingest.internal.backfill;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.UnavailableException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairSnapshots;
import org.kblake.core.internal.log.pair.PendingPairException;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.CorruptLogException;
import org.kblake.core.layout.TooNewException;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.image.BlockCheck;
import org.kblake.ingest.internal.pace.PacedAccess;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.ingest.internal.rows.ScatteredRows;
import org.kblake.ingest.internal.transcode.BackfillPlan;
import org.kblake.ingest.internal.transcode.PlanDivision;
import org.kblake.ingest.internal.transcode.Transcoder;

/**
 * Estimates the size and the time of a backfill. It transcodes a sample of every group.
 *
 * <p>Each block of any size has a fixed cost: the names of its channels, the description of the
 * pair, pages with few values. In a small sample this cost is a much larger part of the bytes than
 * in a whole backfill. So the sample is transcoded twice: its first half, and all of it. The
 * difference gives the cost of a byte of log. The rest is the cost of a block.
 *
 * <p>For the estimate of the time the sample is transcoded some more times, with so much less
 * memory that it is divided for the threads as the whole log will be. The excess of the first pass
 * is the time in which the JVM optimises the code. It is added once.
 */
public final class BackfillEstimate {

  /**
   * The bytes of log of the samples of all groups together. Transcoding them takes some seconds.
   */
  private static final long SAMPLE_BYTES = 64L << 20;

  /** The passes over the sample for the estimate of the time. The fastest one counts. */
  private static final int TIMED_PASSES = 3;

  private final Archive archive;
  private final @Nullable Store store;
  private final StoreIdentity identity;
  private final BackfillSettings settings;
  private final BackfillListener listener;

  /** The problems that were reported. Each pass over the sample has the same ones. */
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  /**
   * The result of an estimate.
   *
   * @param rawBytes bytes of log that are to be transcoded
   * @param coveredBytes requested bytes of log that are in the store already
   * @param sampledBytes bytes of log of the sample
   * @param storedBytes bytes that the store will grow by
   * @param nanos the time that it will take
   */
  public record Result(
      long rawBytes, long coveredBytes, long sampledBytes, long storedBytes, long nanos) {}

  /** The totals of the blocks of a group's sample. */
  private static final class Made {
    private long events;
    private long rawBytes;
    private long storedBytes;
    private int blocks;
  }

  /**
   * @param store the existing store, or null; only read, not closed
   * @param identity of the store that will be written
   * @param listener receives the progress of the sample, not of the whole
   */
  public BackfillEstimate(
      Archive archive,
      @Nullable Store store,
      StoreIdentity identity,
      BackfillSettings settings,
      BackfillListener listener) {
    this.archive = PacedAccess.of(archive, new RateLimit(settings.ioLimitBytesPerSecond()));
    this.store = store;
    this.identity = identity;
    this.settings = settings;
    this.listener = listener;
  }

  /**
   * Makes the estimate.
   *
   * @param directory an empty directory for the sample's columns; the caller removes it
   * @throws IOException if the sample cannot be written
   * @throws InterruptedException if the calling thread is interrupted
   */
  public Result run(Path directory) throws IOException, InterruptedException {
    List<BackfillPlan> plans = plans();
    long rawBytes = plans.stream().mapToLong(BackfillPlan::bytes).sum();
    long coveredBytes = plans.stream().mapToLong(BackfillPlan::coveredBytes).sum();
    List<BackfillPlan> halves = new ArrayList<>();
    List<BackfillPlan> wholes = new ArrayList<>();
    for (BackfillPlan plan : plans) {
      if (plan.bytes() > 0) {
        double share = (double) plan.bytes() / rawBytes;
        try {
          BackfillSample sample =
              BackfillSample.of(plan, Math.max(1, (long) (share * SAMPLE_BYTES)));
          halves.add(sample.half());
          wholes.add(sample.whole());
        } catch (UnavailableException
            | PendingPairException
            | CorruptLogException
            | TooNewException e) {
          listener.problem(plan.group(), String.valueOf(e.getMessage()));
        }
      }
    }
    boolean limited = settings.ioLimitBytesPerSecond() > 0;
    listener.planned(bytes(halves) + (limited ? 1 : 1 + TIMED_PASSES) * bytes(wholes));
    long coldBeginNanos = System.nanoTime();
    Map<Group, Made> half = transcode(halves, directory.resolve("part"), false, settings);
    long coldNanos = System.nanoTime() - coldBeginNanos;
    long beginNanos = System.nanoTime();
    Map<Group, Made> whole = transcode(wholes, directory.resolve("whole"), true, settings);
    long sampleNanos = System.nanoTime() - beginNanos;
    for (int pass = 0; pass < TIMED_PASSES && !limited; pass++) {
      beginNanos = System.nanoTime();
      Map<Group, Made> unused =
          transcode(
              wholes, directory.resolve("timed" + pass), true, scaled(bytes(wholes), rawBytes));
      sampleNanos = Math.min(sampleNanos, System.nanoTime() - beginNanos);
    }
    double storedBytes = 0;
    long sampledBytes = 0;
    for (BackfillPlan plan : plans) {
      Made made = whole.get(plan.group());
      sampledBytes += made == null ? 0 : made.rawBytes;
      storedBytes += storedBytes(plan, rawBytes, half.get(plan.group()), made);
    }
    return new Result(
        rawBytes,
        coveredBytes,
        sampledBytes,
        Math.round(storedBytes),
        nanos(rawBytes, sampledBytes, sampleNanos, coldNanos, bytes(halves)));
  }

  private List<BackfillPlan> plans() throws IOException {
    List<Group> groups = settings.groups().isEmpty() ? archive.groups() : settings.groups();
    List<BackfillPlan> plans = new ArrayList<>();
    PairSnapshots snapshots = new PairSnapshots();
    for (Group group : groups) {
      List<Block> blocks;
      try {
        blocks = store == null ? List.of() : store.blocks(group, problem -> {});
      } catch (IOException e) {
        listener.problem(group, BlockCheck.unreadable(e));
        continue;
      }
      plans.add(
          BackfillPlan.of(
              archive,
              group,
              store != null && store.has(group),
              settings.range(),
              Block.coverage(blocks),
              snapshots,
              problem -> listener.problem(group, problem)));
    }
    return plans;
  }

  private static long bytes(List<BackfillPlan> plans) {
    return plans.stream().mapToLong(BackfillPlan::bytes).sum();
  }

  /** Returns the settings with which a sample is divided as the whole log will be. */
  private BackfillSettings scaled(long sampleBytes, long rawBytes) {
    double share = rawBytes == 0 ? 1 : Math.min(1, (double) sampleBytes / rawBytes);
    return new BackfillSettings(
        settings.groups(),
        settings.range(),
        settings.threads(),
        Math.max(BackfillSettings.MIN_MEMORY_BYTES, (long) (settings.memoryBytes() * share)),
        settings.ioLimitBytesPerSecond(),
        settings.profile());
  }

  private Map<Group, Made> transcode(
      List<BackfillPlan> plans, Path directory, boolean last, BackfillSettings with)
      throws IOException, InterruptedException {
    Map<Group, Made> made = new HashMap<>();
    try (Store sample = Store.openForWriting(directory, identity)) {
      new Backfill(archive, sample, with, new Counting(made, last)).transcode(plans);
    }
    return made;
  }

  private double storedBytes(
      BackfillPlan plan, long allBytes, @Nullable Made half, @Nullable Made whole) {
    if (whole == null || whole.rawBytes == 0) {
      return 0;
    }
    double perByte = (double) whole.storedBytes / whole.rawBytes;
    double perBlock = 0;
    if (half != null && half.rawBytes < whole.rawBytes && half.blocks == whole.blocks) {
      double more = (double) (whole.storedBytes - half.storedBytes);
      perByte = Math.max(0, Math.min(perByte, more / (whole.rawBytes - half.rawBytes)));
      perBlock = (whole.storedBytes - perByte * whole.rawBytes) / whole.blocks;
    }
    double eventsPerByte = (double) whole.events / whole.rawBytes;
    return perByte * plan.bytes() + perBlock * blocks(plan, allBytes, eventsPerByte);
  }

  /**
   * Estimates the number of blocks. A block ends where the ranges do not adjoin, where a plan is
   * divided, and where a worker's share of memory is full.
   */
  private double blocks(BackfillPlan plan, long allBytes, double eventsPerByte) {
    double least = plan.ranges().stream().filter(range -> !range.adjoinsPrevious()).count();
    least += PlanDivision.count(plan, allBytes, settings.threads(), settings.memoryBytes()) - 1;
    int workers = Math.min(settings.threads(), Math.max(1, settings.groups().size()));
    double rowBytes = plan.bytes() * eventsPerByte * ScatteredRows.BYTES_PER_ROW;
    int blocks = new Transcoder.Limits(settings.threads(), workers, 0).blocksAtOnce();
    return Math.max(least, Math.ceil(rowBytes * workers * blocks / settings.memoryBytes()));
  }

  /**
   * Estimates the time.
   *
   * @param coldNanos the time of the first pass
   * @param coldBytes the bytes of log of the first pass
   */
  private long nanos(
      long rawBytes, long sampledBytes, long sampleNanos, long coldNanos, long coldBytes) {
    if (sampledBytes == 0) {
      return 0;
    }
    double nanosPerByte = (double) sampleNanos / sampledBytes;
    double nanos = nanosPerByte * rawBytes + Math.max(0, coldNanos - nanosPerByte * coldBytes);
    long limit = settings.ioLimitBytesPerSecond();
    return Math.round(limit == 0 ? nanos : Math.max(nanos, 1e9 * rawBytes / limit));
  }

  /** Counts the blocks of a sample by group. Called from several threads. */
  private final class Counting implements BackfillListener {
    private final Map<Group, Made> made;
    private final boolean last;

    /**
     * @param last whether problems are reported; the first pass has the same problems
     */
    Counting(Map<Group, Made> made, boolean last) {
      this.made = made;
      this.last = last;
    }

    @Override
    public void planned(long rawBytes) {}

    @Override
    public void scanned(Group group, long rawBytes, long events) {
      listener.scanned(group, rawBytes, events);
    }

    @Override
    public void committed(Block block, long storedBytes) {
      synchronized (made) {
        Made of = made.computeIfAbsent(block.group(), absent -> new Made());
        of.events += block.summary().events();
        of.rawBytes += block.summary().rawBytes();
        of.storedBytes += storedBytes;
        of.blocks++;
      }
    }

    @Override
    public void problem(Group group, String message) {
      if (last && reported.add(group + message)) {
        listener.problem(group, message);
      }
    }
  }
}
