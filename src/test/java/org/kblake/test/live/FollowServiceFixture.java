package org.kblake.test.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.Codec;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.access.Access;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.compact.AgedProfile;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.ingest.internal.live.state.FollowTimes;
import org.kblake.ingest.internal.pace.RateLimit;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.UnforcedFiles;
import org.kblake.test.oracle.AnswerLines;

/**
 * An archive that grows and a service that follows it on threads of the test. Pairs count as closed
 * after a fraction of a second.
 */
public final class FollowServiceFixture {

  /** The settings in kblake.toml of a process that seals every whole segment at once. */
  static final String EAGER_SETTINGS =
      """
      zone = "Asia/Tokyo"
      archive = "archive"
      store = "store"
      [run]
      poll = "100ms"
      seal-age = "1ms"
      seal-events = 0
      """;

  public static final Group GROUP = new Group("VA", "CCG");
  static final ZoneId ZONE = ZoneId.of("Asia/Tokyo");

  private static final Duration TIMEOUT = Duration.ofSeconds(90);

  /**
   * Failed work is repeated at once. A volume counts as unresponsive only in tests of unresponsive
   * volumes.
   */
  public static final FollowTimes TIMES =
      new FollowTimes(
          FollowTimes.DEFAULT.responseLimitNanos(),
          TimeUnit.MILLISECONDS.toNanos(200),
          TimeUnit.MILLISECONDS.toNanos(500),
          RateLimit.Time.REAL);

  /** The times of a process that detects unresponsive volumes soon. */
  static final FollowTimes SHORT_TIMES =
      new FollowTimes(
          TimeUnit.SECONDS.toNanos(2), TIMES.retryNanos(), TIMES.listingNanos(), TIMES.time());

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");

  public final Path root;
  public final Path storePath;
  public final Archive archive;
  public final List<String> problems = new CopyOnWriteArrayList<>();
  final List<String> over = new CopyOnWriteArrayList<>();
  final List<String> discarded = new CopyOnWriteArrayList<>();
  final List<Block> evicted = new CopyOnWriteArrayList<>();
  final List<Access> reads = new CopyOnWriteArrayList<>();

  /** Work of the service's thread each time it collects an access record. */
  volatile Runnable atRead = () -> {};

  final List<String> refusals = new CopyOnWriteArrayList<>();

  /** The beginning of the first pair: whole seconds, an hour ago. */
  public final Instant begin =
      Instant.ofEpochSecond(Instant.now().getEpochSecond()).minus(Duration.ofHours(1));

  private final List<Thread> left = new ArrayList<>();
  private @Nullable Store store;
  private @Nullable Thread thread;

  public FollowServiceFixture(Path directory) throws IOException {
    root = directory.resolve("archive");
    storePath = directory.resolve("store");
    Files.createDirectories(root);
    archive =
        Archive.open(
            root,
            ArchiveSettings.defaults()
                .withSupersededAfterNanos(TimeUnit.MILLISECONDS.toNanos(200))
                .withClosedAfterNanos(TimeUnit.MILLISECONDS.toNanos(600)));
  }

  static FollowSettings settings(Duration sealAge, long sealBytes) {
    return settings(sealAge, sealBytes, 0, Duration.ZERO, null, CacheSettings.EVERYTHING);
  }

  /**
   * Returns settings that poll files all the time, and do not compare blocks. Workers read only
   * segments to seal.
   */
  static FollowSettings undisturbed(int threads, CacheSettings cache) {
    return new FollowSettings(
        List.of(),
        Duration.ofMillis(20),
        Duration.ZERO,
        1,
        0,
        Duration.ofHours(1),
        threads,
        32 << 20,
        0,
        Duration.ZERO,
        new WriteProfile(Codec.LZ4, false),
        null,
        cache,
        null);
  }

  /** Returns settings that seal every whole segment at once, within the limits of the cache. */
  public static FollowSettings eager(CacheSettings cache) {
    return settings(Duration.ZERO, 1, 0, Duration.ZERO, null, cache);
  }

  /**
   * Returns settings that seal every whole segment at once, and verify every block again and again.
   */
  public static FollowSettings scrubbing() {
    return settings(Duration.ZERO, 1, 0, Duration.ofMillis(500), null, CacheSettings.EVERYTHING);
  }

  /** Returns settings that seal whole segments once they have enough events of a channel. */
  static FollowSettings gathering(int sealEvents) {
    return settings(
        Duration.ZERO, 1 << 20, sealEvents, Duration.ZERO, null, CacheSettings.EVERYTHING);
  }

  /**
   * Returns settings that seal every whole segment at once, and then write blocks of all ages in
   * another codec.
   */
  static FollowSettings aging(WriteProfile profile) {
    return settings(
        Duration.ZERO,
        1,
        0,
        Duration.ZERO,
        new AgedProfile(Duration.ZERO, profile),
        CacheSettings.EVERYTHING);
  }

  private static FollowSettings settings(
      Duration sealAge,
      long sealBytes,
      int sealEvents,
      Duration scrubCycle,
      @Nullable AgedProfile aged,
      CacheSettings cache) {
    return new FollowSettings(
        List.of(),
        Duration.ofMillis(20),
        sealAge,
        sealBytes,
        sealEvents,
        Duration.ofMillis(300),
        1,
        32 << 20,
        0,
        scrubCycle,
        new WriteProfile(Codec.LZ4, false),
        aged,
        cache,
        null);
  }

  /** Returns settings that seal every whole segment at once. */
  static FollowSettings eager() {
    return settings(Duration.ZERO, 1);
  }

  public FollowService start(FollowSettings settings) throws IOException {
    return start(settings, new UnforcedFiles());
  }

  FollowService start(FollowSettings settings, StoreFiles files) throws IOException {
    return start(archive, settings, files, Clock.systemUTC());
  }

  /**
   * Starts a process.
   *
   * @param seen the archive as the process sees it
   * @param clock the clock of the process
   */
  public FollowService start(Archive seen, FollowSettings settings, StoreFiles files, Clock clock)
      throws IOException {
    Store opened = Store.openForWriting(storePath, TestStores.identity(archive), files);
    store = opened;
    return start(seen, opened, settings, clock, null);
  }

  /**
   * Starts a process that takes over from another one. Threads of the other one may still wait for
   * a volume. They end when it answers.
   */
  FollowService takeOver(FollowService before, Archive seen, FollowSettings settings)
      throws Exception {
    Thread runner = Objects.requireNonNull(thread);
    before.stopNewWork();
    runner.interrupt();
    runner.join(Duration.ofSeconds(1).toMillis());
    left.add(runner);
    return start(
        seen, Objects.requireNonNull(store), settings, Clock.systemUTC(), before.remaining());
  }

  private FollowService start(
      Archive seen,
      Store opened,
      FollowSettings settings,
      Clock clock,
      @Nullable FollowService before) {
    FollowService live =
        new FollowService(
            seen,
            opened,
            settings.times().equals(FollowTimes.DEFAULT) ? settings.with(TIMES) : settings,
            new Counters(),
            new Listener(),
            clock,
            before);
    Thread runner =
        new Thread(
            () -> {
              try {
                live.run();
              } catch (IOException e) {
                problems.add(e.toString());
              }
            },
            "live");
    runner.start();
    thread = runner;
    return live;
  }

  /** Ends the process, if there is one. */
  public void stop() throws IOException, InterruptedException {
    Thread runner = thread;
    thread = null;
    if (runner != null) {
      runner.interrupt();
      runner.join();
    }
    for (Thread each : left) {
      each.join();
    }
    Store open = store;
    store = null;
    if (open != null) {
      open.close();
    }
  }

  /** Begins a pair of two channels, a double and a string, some seconds after {@link #begin}. */
  public LogWriter pair(Group group, long seconds) throws IOException {
    String stamp = STAMP.format(begin.plusSeconds(seconds).atZone(ZONE));
    return LogWriter.create(
        root,
        group,
        stamp,
        ByteOrder.LITTLE_ENDIAN,
        new RecordTable(
            List.of(
                new RecordEntry(1, "VALCCG:PRES", ValueType.DOUBLE, 1),
                new RecordEntry(2, "VALCCG:STATE", ValueType.STRING, 1))));
  }

  /** Writes a milestone and some events of the seconds after it, and flushes them. */
  public void segment(LogWriter writer, long seconds, int events) throws IOException {
    write(writer, seconds, events);
    writer.flush();
  }

  /** Writes the same as {@link #segment} without a flush. */
  void write(LogWriter writer, long seconds, int events) throws IOException {
    writer.milestone(nanos(seconds));
    for (int i = 0; i < events; i++) {
      writer.number(0, nanos(seconds) + i * 1_000L, 0, 0, Double.doubleToRawLongBits(i + 0.5));
    }
    writer.text(1, nanos(seconds) + events * 1_000L, 0, 0, "on".getBytes(StandardCharsets.UTF_8));
  }

  long nanos(long seconds) {
    return (begin.getEpochSecond() + seconds) * 1_000_000_000L;
  }

  /** Returns the blocks in use, as another process sees them. */
  public List<Block> blocks(Group group) throws IOException {
    try (Store reader = Store.open(storePath, null)) {
      return reader.blocks(group, problem -> {});
    }
  }

  public long coveredBytes(Group group) throws IOException {
    return blocks(group).stream().mapToLong(block -> block.summary().rawBytes()).sum();
  }

  /** Returns all events of a group. Asserts that the raw log alone gives the same. */
  public List<String> answer(Group group) throws IOException {
    List<String> both = answer(group, Source.AUTO);
    assertThat(both).isEqualTo(answer(group, Source.RAW));
    return both;
  }

  private List<String> answer(Group group, Source source) throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(root)
            .store(storePath)
            .settings(archive.settings())
            .open()) {
      EventQuery query =
          EventQuery.of(ChannelSelection.all(group))
              .between(TimeRange.ALL)
              .from(source)
              .allowIncomplete();
      return AnswerLines.read(reader, query).events();
    }
  }

  public static void await(String what, Callable<Boolean> condition) throws Exception {
    long begin = System.nanoTime();
    long looked = begin;
    while (!holds(condition)) {
      long now = System.nanoTime();
      assertThat(now - begin).as("still waiting for " + what).isLessThan(TIMEOUT.toNanos());
      // The condition is tested for at most half of the time, so that the awaited work can proceed.
      TimeUnit.NANOSECONDS.sleep(Math.max(LOOK_NANOS, now - looked));
      looked = System.nanoTime();
    }
  }

  /**
   * Returns an answer of an archive that responds. On a busy machine, reads with a mirror may
   * exceed the time limit of half a second. Such a question is repeated.
   */
  static AnswerLines.Lines awaitAnswer(Callable<AnswerLines.Lines> read) throws Exception {
    AnswerLines.Lines[] lines = {read.call()};
    await(
        "an answer of the archive",
        () -> {
          boolean givenUp =
              lines[0].coverage().missing().stream()
                  .anyMatch(span -> span.detail().contains("does not answer within"));
          if (givenUp) {
            lines[0] = read.call();
          }
          return !givenUp;
        });
    return lines[0];
  }

  /** Tests the condition. An error means false, because a block may disappear during the test. */
  private static boolean holds(Callable<Boolean> condition) throws Exception {
    try {
      return condition.call();
    } catch (NoSuchFileException | CorruptBlockException e) {
      return false;
    }
  }

  private final class Listener implements FollowListener {
    @Override
    public void merged(List<Block> smaller, Block block, long storedBytes) {}

    @Override
    public void sealed(Block block, long storedBytes) {}

    @Override
    public void discarded(Block block, String why) {
      discarded.add(why);
    }

    @Override
    public void evicted(Block block, long storedBytes) {
      evicted.add(block);
    }

    @Override
    public void read(Access access) {
      reads.add(access);
      atRead.run();
    }

    @Override
    public void refused(String what) {
      refusals.add(what);
    }

    @Override
    public void problem(Group group, String message) {
      problems.add(message);
    }

    @Override
    public void over(Group group, String message) {
      over.add(message);
    }
  }
}
