package org.kblake.benchmarks.wear;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.kblake.benchmarks.measure.Aim;
import org.kblake.benchmarks.measure.Commands;
import org.kblake.benchmarks.measure.Figure;
import org.kblake.benchmarks.measure.Line;
import org.kblake.benchmarks.measure.Measurement;
import org.kblake.benchmarks.measure.Row;
import org.kblake.benchmarks.measure.Unit;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;

/**
 * Reads of the newest events while most of the blocks are evicted and unlinked, because the store
 * got a budget, beside the same reads while nothing is removed.
 */
final class RemovalRow implements Row {

  private static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");
  private static final long RANGE_NANOS = TimeUnit.SECONDS.toNanos(1000);

  /** The share of the blocks that stays. */
  private static final int STAYS = 10;

  /** Blocks are looked for each second. */
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private static final long TIMEOUT_NANOS = TimeUnit.MINUTES.toNanos(5);

  @Override
  public int number() {
    return 0;
  }

  @Override
  public String name() {
    return "removal";
  }

  @Override
  public String title() {
    return "Reads while blocks are removed";
  }

  @Override
  public String data(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%d groups of %d channels, each with %d blocks of ten minutes. A store of that size gets"
            + " a budget of a %dth: the oldest blocks are compared with their logs, evicted, and"
            + " unlinked. One thread of the same process meanwhile reads 1,000 s of a random"
            + " channel out of the newest hour, seed 1, warm, with an open reader",
        groups(measurement),
        ManyBlocks.RECORDS,
        segments(measurement),
        STAYS);
  }

  private static int groups(Measurement measurement) {
    return measurement.size().choose(3, 31, 31);
  }

  private static int segments(Measurement measurement) {
    return measurement.size().choose(12, 130, 130);
  }

  /**
   * What was measured while blocks were removed.
   *
   * @param seconds from the first eviction to the end of the removals
   */
  private record Removal(Reads reads, double seconds) {}

  /** The milliseconds of each read. */
  private record Reads(List<Double> millis) {

    Figure percentile(int percent, String of) {
      List<Double> sorted = millis.stream().sorted().toList();
      int at = (int) Math.ceil(percent / 100.0 * sorted.size()) - 1;
      return Figure.of(of, Unit.MILLISECONDS, sorted.get(Math.max(0, at)));
    }
  }

  @Override
  public List<Line> measure(Measurement measurement) throws IOException, InterruptedException {
    ManyBlocks blocks = ManyBlocks.of(groups(measurement), segments(measurement));
    Path store = Files.createTempDirectory(measurement.data(), "wear-removal");
    try {
      Commands.run(List.of("cp", "-r", blocks.store() + "/.", store.toString()));
      try (ArchiveReader reader =
          ArchiveReader.builder()
              .archive(blocks.archive())
              .store(store)
              .withoutAdmission()
              .open()) {
        return measure(measurement, blocks, store, reader);
      }
    } finally {
      Commands.delete(store);
    }
  }

  private List<Line> measure(
      Measurement measurement, ManyBlocks blocks, Path path, ArchiveReader reader)
      throws IOException, InterruptedException {
    Archive archive = Archive.open(blocks.archive(), ArchiveSettings.defaults().withZone(ZONE));
    StoreIdentity identity = Store.open(path, null).identity();
    double seconds = measurement.size().choose(0.2, 10.0, 30.0);
    try (Store store = Store.openForWriting(path, identity)) {
      Counters idle = new Counters();
      Reads unused = read(reader, measurement, seconds);
      Reads quiet;
      Thread following = follow(archive, store, CacheSettings.EVERYTHING, idle);
      try {
        quiet = read(reader, measurement, seconds);
      } finally {
        end(following);
      }
      Counters counters = new Counters();
      long budget = storedBytes(store) / STAYS;
      CacheSettings cache =
          new CacheSettings(budget, 0, Eviction.OLDEST, false, Mode.FOLLOW, Map.of());
      WrittenBytes before = WrittenBytes.now("self", path);
      following = follow(archive, store, cache, counters);
      Removal removal;
      try {
        removal = readUntilRemoved(reader, measurement, store, counters);
      } finally {
        end(following);
      }
      long removed = counters.get(Count.EVICTIONS);
      WrittenBytes written = WrittenBytes.now("self", path).since(before);
      measurement
          .out()
          .printf(
              Locale.ROOT,
              "  %,d blocks removed in %.1f s, %.1f MiB written%n",
              removed,
              removal.seconds(),
              written.process() / 0x1p20);
      return lines(measurement, quiet, removal.reads(), removed, removed / removal.seconds());
    }
  }

  private static List<Line> lines(
      Measurement measurement, Reads quiet, Reads beside, long removed, double perSecond) {
    String what = String.format(Locale.ROOT, "1,000 s while %,d blocks are removed", removed);
    return List.of(
        measurement.line(
            Line.of(
                what + ", p99",
                beside.percentile(99, "kblake"),
                quiet.percentile(99, "p99 while none is removed"),
                Aim.timesAtMost(2))),
        measurement.line(
            Line.of(
                what + ", median",
                beside.percentile(50, "kblake"),
                quiet.percentile(50, "median while none is removed"),
                Aim.NONE)),
        measurement.line(
            Line.of("blocks that are removed", Figure.of("kblake", Unit.PER_SECOND, perSecond))));
  }

  private static long storedBytes(Store store) throws IOException {
    long bytes = 0;
    for (Group group : store.groups()) {
      for (var block : store.blocks(group, problem -> {})) {
        bytes += block.storedBytes();
      }
    }
    return bytes;
  }

  private static Thread follow(
      Archive archive, Store store, CacheSettings cache, Counters counters) {
    FollowSettings settings =
        new FollowSettings(
            List.of(),
            Duration.ofMillis(100),
            Duration.ofMinutes(10),
            64 << 20,
            0,
            Duration.ofMinutes(5),
            2,
            256 << 20,
            0,
            Duration.ZERO,
            WriteProfile.STANDARD,
            null,
            cache,
            null);
    // Within the day of the blocks, so that they are not merged.
    Clock clock = Clock.fixed(Instant.parse("2024-03-02T14:00:00Z"), ZONE);
    FollowService service =
        new FollowService(archive, store, settings, counters, FollowListener.NONE, clock, null);
    Thread thread =
        new Thread(
            () -> {
              try {
                service.run();
              } catch (IOException e) {
                throw new IllegalStateException(e);
              }
            },
            "kblake run");
    thread.start();
    return thread;
  }

  private static void end(Thread following) throws InterruptedException {
    following.interrupt();
    following.join();
  }

  private Reads read(ArchiveReader reader, Measurement measurement, double seconds)
      throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<Double> millis = new ArrayList<>();
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < seconds * 1e9) {
      millis.add(read(reader, measurement, random));
    }
    return new Reads(millis);
  }

  /**
   * Reads until most blocks were evicted, none is evicted any more, and the trash is empty. Returns
   * the reads from the first eviction to the last, or until the trash was empty.
   */
  private Removal readUntilRemoved(
      ArchiveReader reader, Measurement measurement, Store store, Counters counters)
      throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    List<Double> millis = new ArrayList<>();
    long begin = System.nanoTime();
    long evicted = 0;
    long firstNanos = begin;
    long changedNanos = begin;
    int during = 0;
    long least = (long) groups(measurement) * segments(measurement) * (STAYS - 2) / STAYS;
    while (evicted < least
        || System.nanoTime() - changedNanos < IDLE_NANOS
        || store.trashBytes() > 0) {
      if (System.nanoTime() - begin > TIMEOUT_NANOS) {
        throw new IOException("blocks are not removed: evicted=" + evicted);
      }
      double time = read(reader, measurement, random);
      long now = counters.get(Count.EVICTIONS);
      if (evicted == 0 && now > 0) {
        firstNanos = System.nanoTime();
      }
      if (now > 0) {
        millis.add(time);
      }
      if (now != evicted || store.trashBytes() > 0) {
        evicted = now;
        changedNanos = System.nanoTime();
        during = millis.size();
      }
    }
    return new Removal(new Reads(millis.subList(0, during)), (changedNanos - firstNanos) / 1e9);
  }

  private double read(ArchiveReader reader, Measurement measurement, SplittableRandom random)
      throws IOException {
    int group = random.nextInt(groups(measurement));
    String channel = ManyBlocks.channel(group, random.nextInt(ManyBlocks.RECORDS));
    TimeRange last = ManyBlocks.segment(segments(measurement) - 1);
    long from = last.toNanos() - TimeUnit.HOURS.toNanos(1) + random.nextLong(RANGE_NANOS);
    EventQuery query =
        EventQuery.of(ChannelSelection.names(channel).in(ManyBlocks.group(group)))
            .between(new TimeRange(from, from + RANGE_NANOS));
    long begin = System.nanoTime();
    long rows = 0;
    try (EventCursor events = reader.cursor(query)) {
      while (events.next()) {
        rows += events.to() - events.from();
      }
    }
    double millis = (System.nanoTime() - begin) / 1e6;
    if (rows == 0) {
      throw new IOException("no events: channel=" + channel);
    }
    return millis;
  }
}
