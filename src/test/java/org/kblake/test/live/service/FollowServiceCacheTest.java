package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Pins;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.access.AccessHistory;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.compact.AgedProfile;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.query.ArchiveReader;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.oracle.AnswerLines;

/** A store with a budget, and a store that holds the ranges that are read. */
class FollowServiceCacheTest extends FollowedArchive {

  private static final int DAYS = 10;

  /** More than a month. Several blocks of a month would be merged when the month is over. */
  private static final long APART_SECONDS = 32 * 86_400L;

  private static final int EVENTS = 20_000;

  /** Writes a pair on each of some days in different months, all with segments of one size. */
  @BeforeEach
  void writeDays() throws IOException {
    for (int day = 0; day < DAYS; day++) {
      try (LogWriter writer = live.pair(GROUP, secondsOf(day))) {
        live.segment(writer, secondsOf(day), EVENTS);
      }
    }
    TestStores.closePairs(live.root);
  }

  private static long secondsOf(int day) {
    return (day - DAYS - 2) * APART_SECONDS;
  }

  @Test
  void putsTheNewestIntoColumnsWithinTheBudget() throws Exception {
    long block = bytesOfABlock();
    FollowService following =
        live.start(FollowServiceFixture.eager(budget(4 * block, Eviction.OLDEST, Mode.FOLLOW)));
    await("a block", () -> !live.blocks(GROUP).isEmpty());
    await("the rest", () -> storedBytes() > 2 * block);
    String oldestPair = live.archive.pairs(GROUP).get(0).stamp();
    assertThat(live.blocks(GROUP))
        .noneMatch(each -> each.summary().from().stamp().equals(oldestPair));
    assertThat(live.evicted).isEmpty();
    assertThat(following.counters().get(Count.EVICTIONS)).isZero();
    live.answer(GROUP);
  }

  @Test
  void evictsTheOldestAndDoesNotMakeItAgain() throws Exception {
    fill();
    long block = bytesOfABlock();
    live.start(FollowServiceFixture.eager(budget(5 * block, Eviction.OLDEST, Mode.FOLLOW)));
    await("the budget", () -> storedBytes() <= 4.5 * block);
    List<Block> left = live.blocks(GROUP);
    assertThat(left).hasSizeBetween(3, 5);
    assertThat(left.get(0).summary().from().stamp())
        .isEqualTo(live.archive.pairs(GROUP).get(DAYS - left.size()).stamp());
    live.stop();
    int evicted = live.evicted.size();
    live.start(FollowServiceFixture.eager(budget(5 * block, Eviction.OLDEST, Mode.FOLLOW)));
    assertStays(left.size());
    assertThat(live.evicted).hasSize(evicted);
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
  }

  /** Without this rule, an evicted block would stay in the trash for a quarter of an hour. */
  @Test
  void trashCountsInTheBudget() throws Exception {
    fill();
    long block = bytesOfABlock();
    live.start(FollowServiceFixture.eager(budget(5 * block, Eviction.OLDEST, Mode.FOLLOW)));
    await("the budget", () -> storedBytes() + trashBytes() <= 5 * block);
    assertThat(live.blocks(GROUP)).hasSizeBetween(3, 5);
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
    assertThat(live.problems).isEmpty();
  }

  /** Such blocks were made on request, or while other groups were followed. */
  @Test
  void verifiesAndMergesBlocksOfGroupsThatAreNotFollowed() throws Exception {
    fill();
    FollowService following = live.start(other(CacheSettings.EVERYTHING));
    await(
        "proofs and merges",
        () ->
            following.counters().get(Count.SCRUBBED_BLOCKS) > 0
                && following.counters().get(Count.MERGED_BLOCKS) > 0);
    live.stop();
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
    int blocks = live.blocks(GROUP).size();
    live.start(other(budget(bytesOfABlock(), Eviction.LEAST_RECENTLY_USED, Mode.FOLLOW)));
    await("the eviction", () -> live.blocks(GROUP).size() < blocks);
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
    assertThat(live.problems).isEmpty();
  }

  /**
   * Returns settings that follow another group than that of the test, and write blocks of all ages
   * in another codec.
   */
  private static FollowSettings other(CacheSettings cache) {
    FollowSettings scrubbing = FollowServiceFixture.scrubbing();
    return new FollowSettings(
        List.of(new Group("RF", "AnalogData")),
        scrubbing.poll(),
        scrubbing.sealAge(),
        scrubbing.sealBytes(),
        scrubbing.sealEvents(),
        scrubbing.recheck(),
        scrubbing.threads(),
        scrubbing.memoryBytes(),
        0,
        scrubbing.scrubCycle(),
        scrubbing.profile(),
        new AgedProfile(Duration.ZERO, new WriteProfile(Codec.GZIP, false)),
        cache,
        null);
  }

  @Test
  void keepsBlocksThatAreReadAndMakesThemAgainOnARead() throws Exception {
    fill();
    long block = bytesOfABlock();
    FollowService following =
        live.start(
            FollowServiceFixture.eager(
                budget(20 * block, Eviction.LEAST_RECENTLY_USED, Mode.FOLLOW)));
    await("readiness", () -> takesRecords(following));
    readDay(0);
    await("the access record", () -> !live.reads.isEmpty());
    live.stop();
    assertThat(live.reads).allMatch(access -> access.fromColumns());
    assertThat(new AccessHistory(live.storePath).read()).isEqualTo(live.reads);
    FollowService smaller =
        live.start(
            FollowServiceFixture.eager(
                budget(5 * block, Eviction.LEAST_RECENTLY_USED, Mode.FOLLOW)));
    await("the budget", () -> storedBytes() <= 4.5 * block);
    String first = live.archive.pairs(GROUP).get(0).stamp();
    assertThat(stamps()).contains(first);
    int gone = 1;
    while (stamps().contains(live.archive.pairs(GROUP).get(gone).stamp())) {
      gone++;
    }
    String again = live.archive.pairs(GROUP).get(gone).stamp();
    readDay(gone);
    await("the block", () -> stamps().contains(again));
    await("the budget", () -> storedBytes() <= 4.5 * block);
    assertThat(smaller.counters().get(Count.REREADS)).isEqualTo(1);
    assertThat(smaller.counters().get(Count.ADMISSIONS)).isEqualTo(1);
    assertThat(stamps()).contains(again);
    live.answer(GROUP);
  }

  /** An interrupt closes the file of the history while the record is written. */
  @Test
  void writesTheHistoryAtTheEndIfAStopInterruptsIt() throws Exception {
    fill();
    live.atRead = () -> Thread.currentThread().interrupt();
    FollowService following = live.start(FollowServiceFixture.eager(CacheSettings.EVERYTHING));
    await("readiness", () -> takesRecords(following));
    readDay(0);
    await("the access record", () -> !live.reads.isEmpty());
    live.stop();
    assertThat(new AccessHistory(live.storePath).read()).isEqualTo(live.reads);
  }

  @Test
  void neverEvictsPinnedBlocks() throws Exception {
    fill();
    new Pins(live.storePath).pin(GROUP, Instant.now().plusSeconds(3600));
    live.start(FollowServiceFixture.eager(budget(bytesOfABlock(), Eviction.OLDEST, Mode.FOLLOW)));
    assertStays(DAYS);
    new Pins(live.storePath).unpin(GROUP);
    await("the eviction", () -> live.blocks(GROUP).size() < DAYS);
  }

  @Test
  void neverEvictsBlocksWhoseLogIsMissing() throws Exception {
    fill();
    Pair oldest = live.archive.pairs(GROUP).get(0);
    Files.delete(oldest.logPath());
    Files.delete(oldest.indexPath());
    FollowService following =
        live.start(FollowServiceFixture.eager(budget(1, Eviction.OLDEST, Mode.FOLLOW)));
    await("the others", () -> live.blocks(GROUP).size() == 1);
    assertThat(stamps()).containsExactly(oldest.stamp());
    await("the refusal", () -> following.counters().get(Count.EVICTIONS_REFUSED) > 0);
  }

  @Test
  void neverEvictsIfColumnsReplaceLogs() throws Exception {
    fill();
    live.start(
        FollowServiceFixture.eager(
            new CacheSettings(1, 0, Eviction.OLDEST, true, Mode.FOLLOW, Map.of())));
    assertStays(DAYS);
  }

  @Test
  void putsReadRangesIntoColumns() throws Exception {
    FollowService following =
        live.start(
            FollowServiceFixture.eager(
                new CacheSettings(
                    0, 0, Eviction.LEAST_RECENTLY_USED, false, Mode.ON_READ, Map.of())));
    await("readiness", () -> takesRecords(following));
    readDay(3);
    await("the block", () -> !live.blocks(GROUP).isEmpty());
    assertThat(stamps()).contains(live.archive.pairs(GROUP).get(3).stamp());
    assertThat(live.blocks(GROUP).size()).isLessThan(DAYS);
    assertThat(following.counters().get(Count.MISSES)).isEqualTo(1);
    live.answer(GROUP);
  }

  @Test
  void ignoresAGroupWithModeNever() throws Exception {
    FollowService following =
        live.start(
            FollowServiceFixture.eager(
                new CacheSettings(
                    0,
                    0,
                    Eviction.LEAST_RECENTLY_USED,
                    false,
                    Mode.FOLLOW,
                    Map.of(GROUP, Mode.NEVER))));
    await("readiness", () -> takesRecords(following));
    readDay(3);
    await("the refusal", () -> following.counters().get(Count.ADMISSIONS_REFUSED) > 0);
    assertThat(live.blocks(GROUP)).isEmpty();
  }

  @Test
  void ignoresReadersWithoutAccessRecords() throws Exception {
    live.start(
        FollowServiceFixture.eager(
            new CacheSettings(0, 0, Eviction.LEAST_RECENTLY_USED, false, Mode.ON_READ, Map.of())));
    Path access = live.storePath.resolve("access");
    await("readiness", () -> Files.isDirectory(access));
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(live.root)
            .store(live.storePath)
            .settings(live.archive.settings())
            .withoutAdmission()
            .open()) {
      AnswerLines.read(reader, EventQuery.of(ChannelSelection.all(GROUP)).between(day(3)));
    }
    readDay(5);
    await("the other's record", () -> !live.reads.isEmpty());
    assertThat(live.reads).hasSize(1);
  }

  /**
   * Returns whether records of readers are taken, and their blocks are known. Readers write no
   * record without the directory. A record of an unknown group has no effect.
   */
  private boolean takesRecords(FollowService following) {
    return following.ready() && Files.isDirectory(live.storePath.resolve("access/readers"));
  }

  /** Puts every day into its own block. */
  private void fill() throws Exception {
    for (int day = 0; day < DAYS; day++) {
      TestStores.backfill(live.archive, live.storePath, day(day));
    }
    assertThat(live.blocks(GROUP)).hasSize(DAYS);
  }

  /** Returns some hours around a day's events, because the disorder bound widens spans. */
  private TimeRange day(int day) {
    long from = live.nanos(secondsOf(day));
    return new TimeRange(from, from + 3_600_000_000_000L);
  }

  private void readDay(int day) throws IOException {
    try (ArchiveReader reader =
        ArchiveReader.builder()
            .archive(live.root)
            .store(live.storePath)
            .settings(live.archive.settings())
            .open()) {
      EventQuery query = EventQuery.of(ChannelSelection.all(GROUP)).between(day(day));
      assertThat(AnswerLines.read(reader, query).events()).hasSize(EVENTS + 1);
    }
  }

  private CacheSettings budget(long bytes, Eviction eviction, Mode mode) {
    return new CacheSettings(bytes, 0, eviction, false, mode, Map.of());
  }

  private long bytesOfABlock() throws Exception {
    Path other = directory.resolve("one");
    if (!Files.exists(other)) {
      TestStores.backfill(live.archive, other, day(0));
    }
    try (Store store = Store.open(other, null)) {
      return store.blocks(GROUP, problem -> {}).get(0).storedBytes();
    }
  }

  private long storedBytes() throws IOException {
    long bytes = 0;
    for (Block block : live.blocks(GROUP)) {
      bytes += block.storedBytes();
    }
    return bytes;
  }

  private long trashBytes() throws IOException {
    try (Store store = Store.open(live.storePath, null)) {
      return store.trashBytes();
    }
  }

  private List<String> stamps() throws IOException {
    List<String> stamps = new ArrayList<>();
    for (Block block : live.blocks(GROUP)) {
      block.spans().forEach(span -> stamps.add(span.stamp()));
    }
    return stamps;
  }

  /** Asserts that no block is made or evicted in several periods of the process. */
  private void assertStays(int blocks) throws Exception {
    Group late = new Group("RF", "AnalogData");
    // A new group is in columns after the next run of both tasks.
    try (LogWriter writer = live.pair(late, 0)) {
      live.segment(writer, 0, 10);
    }
    for (int round = 0; round < 3; round++) {
      await("the process", () -> Files.isDirectory(live.storePath.resolve("access")));
      int reads = live.reads.size();
      readDay(0);
      await("a poll", () -> live.reads.size() > reads);
    }
    assertThat(live.blocks(GROUP)).hasSize(blocks);
  }
}
