package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.BackfillListener;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.BackfillRequest;
import org.kblake.ingest.internal.live.state.CacheSettings;
import org.kblake.ingest.internal.live.state.CacheSettings.Eviction;
import org.kblake.ingest.internal.live.state.CacheSettings.Mode;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.fixture.volume.FullDisk;

/** A following process carries out requests for a backfill. */
class FollowServiceRequestTest extends FollowedArchive {

  private static final int DAYS = 6;

  /** More than a month. Several blocks of a month would be merged when the month is over. */
  private static final long APART_SECONDS = 32 * 86_400L;

  private static final int EVENTS = 10_000;
  private static final BackfillRequest ALL = new BackfillRequest(List.of(), TimeRange.ALL, 0);

  private final RecordingListener listener = new RecordingListener();

  /** Writes a pair on each of some days in different months, all with segments of one size. */
  @BeforeEach
  void writeDays() throws IOException {
    for (int day = 0; day < DAYS; day++) {
      writeDay(GROUP, day);
    }
    TestStores.closePairs(live.root);
  }

  private void writeDay(Group group, int day) throws IOException {
    try (LogWriter writer = live.pair(group, secondsOf(day))) {
      live.segment(writer, secondsOf(day), EVENTS);
    }
  }

  private static long secondsOf(int day) {
    return (day - DAYS - 2) * APART_SECONDS;
  }

  private static CacheSettings cache(long budget, Eviction eviction, Mode mode) {
    return new CacheSettings(budget, 0, eviction, false, mode, Map.of());
  }

  private static FollowSettings never() {
    return FollowServiceFixture.eager(cache(0, Eviction.LEAST_RECENTLY_USED, Mode.NEVER));
  }

  private static FollowSettings of(Group group) {
    FollowSettings eager = FollowServiceFixture.eager();
    return new FollowSettings(
        List.of(group),
        eager.poll(),
        eager.sealAge(),
        eager.sealBytes(),
        eager.sealEvents(),
        eager.recheck(),
        2,
        eager.memoryBytes(),
        0,
        Duration.ZERO,
        eager.profile(),
        eager.aged(),
        CacheSettings.EVERYTHING,
        eager.mirror());
  }

  private long logBytes() {
    return listener.planned.get();
  }

  @Test
  void putsAGroupIntoColumnsThatIsNotFollowed() throws Exception {
    FollowService following = live.start(never());
    BackfillSummary summary = following.backfill(ALL, listener);
    assertThat(summary.events()).isEqualTo(DAYS * (EVENTS + 1));
    assertThat(summary.rawBytes()).isEqualTo(logBytes()).isEqualTo(live.coveredBytes(GROUP));
    assertThat(listener.scanned.get()).isEqualTo(logBytes());
    assertThat(listener.committed).hasSize(summary.blocks()).isNotEmpty();
    assertThat(summary.problems()).isZero();
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
    BackfillSummary again = following.backfill(ALL, listener);
    assertThat(again.coveredBytes()).isEqualTo(summary.rawBytes());
    assertThat(again.blocks()).isZero();
    live.stop();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
  }

  @Test
  void takesOnlyTheRequestedRange() throws Exception {
    FollowService following = live.start(never());
    long from = live.nanos(secondsOf(2));
    TimeRange day = new TimeRange(from, from + 3_600_000_000_000L);
    BackfillSummary summary =
        following.backfill(new BackfillRequest(List.of(GROUP), day, 0), listener);
    // The span of the segment before may extend to this day, because its pair does not show its
    // end.
    assertThat(summary.events()).isBetween(EVENTS + 1L, 2 * (EVENTS + 1L));
  }

  /** The process follows some groups. A request may name others. */
  @Test
  void acceptsAGroupOutsideItsSettings() throws Exception {
    Group other = new Group("RF", "AnalogData");
    writeDay(other, 0);
    TestStores.closePairs(live.root);
    FollowService following = live.start(of(GROUP));
    for (int i = 0; i < 2; i++) {
      following.backfill(new BackfillRequest(List.of(other), TimeRange.ALL, 0), listener);
      assertThat(live.coveredBytes(other)).isEqualTo(TestStores.logBytes(live.archive, other));
      assertThat(listener.problems).isEmpty();
      writeDay(other, 1 + i);
      TestStores.closePairs(live.root);
    }
    assertThat(live.coveredBytes(other)).isLessThan(TestStores.logBytes(live.archive, other));
    await("the followed group", () -> following.groups().size() == 1);
  }

  /** Meanwhile, new events of other groups are put into columns. Finished blocks stay. */
  @Test
  void followingContinuesAndAnInterruptEndsTheRequest() throws Exception {
    Group followed = new Group("RF", "AnalogData");
    FollowService slow = live.start(of(followed));
    AtomicReference<Object> end = new AtomicReference<>();
    Thread asking =
        new Thread(
            () -> {
              try {
                end.set(
                    slow.backfill(
                        new BackfillRequest(List.of(GROUP), TimeRange.ALL, 75_000), listener));
              } catch (IOException | InterruptedException e) {
                end.set(e);
              }
            });
    asking.start();
    await("a block", () -> !listener.committed.isEmpty());
    try (LogWriter writer = live.pair(followed, 0)) {
      live.segment(writer, 0, 10);
      live.segment(writer, 60, 10);
    }
    await("the new segment", () -> live.coveredBytes(followed) > 0);
    assertThat(asking.isAlive()).isTrue();
    asking.interrupt();
    asking.join();
    assertThat(end.get()).isInstanceOf(InterruptedException.class);
    assertThat(live.coveredBytes(GROUP))
        .isPositive()
        .isLessThan(TestStores.logBytes(live.archive, GROUP));
    assertThat(live.problems).isEmpty();
    listener.problems.clear();
    BackfillSummary rest =
        slow.backfill(new BackfillRequest(List.of(GROUP), TimeRange.ALL, 0), listener);
    assertThat(rest.coveredBytes() + rest.rawBytes())
        .isEqualTo(TestStores.logBytes(live.archive, GROUP));
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
  }

  @Test
  void makesEvictedBlocksAgainIfOthersCanBeEvicted() throws Exception {
    for (int day = 0; day < DAYS; day++) {
      long from = live.nanos(secondsOf(day));
      TestStores.backfill(
          live.archive, live.storePath, new TimeRange(from, from + 3_600_000_000_000L));
    }
    List<Block> all = live.blocks(GROUP);
    assertThat(all).hasSize(DAYS);
    long block = all.get(0).storedBytes();
    FollowService following =
        live.start(
            FollowServiceFixture.eager(
                cache(5 * block, Eviction.LEAST_RECENTLY_USED, Mode.FOLLOW)));
    await("an eviction", () -> live.blocks(GROUP).size() < DAYS - 1);
    Block gone = live.evicted.get(0);
    long from = gone.summary().firstNanos();
    BackfillSummary summary =
        following.backfill(
            new BackfillRequest(List.of(GROUP), new TimeRange(from, from + 1_000_000_000L), 0),
            listener);
    assertThat(summary.problems()).as(listener.problems.toString()).isZero();
    assertThat(summary.events()).isEqualTo(EVENTS + 1);
    assertThat(stamps()).contains(gone.summary().from().stamp());
    await("the budget", () -> storedBytes() <= 4.5 * block);
    assertThat(stamps()).contains(gone.summary().from().stamp());
  }

  /** If the oldest blocks are evicted first, new blocks of old events would be evicted at once. */
  @Test
  void reportsSkippedSegmentsWithoutSpace() throws Exception {
    FollowService following =
        live.start(FollowServiceFixture.eager(cache(20_000, Eviction.OLDEST, Mode.NEVER)));
    BackfillSummary summary = following.backfill(ALL, listener);
    assertThat(summary.problems()).isEqualTo(1);
    // The segment that crosses the end of the range is the last.
    assertThat(summary.events()).isEqualTo(EVENTS + 1);
    assertThat(listener.problems)
        .containsExactly(
            "no space within the budget: group=VA/CCG, skipped bytes of log="
                + (logBytes() - summary.rawBytes()));
  }

  @Test
  void fullDiskEndsTheRequestWithTheReason() throws Exception {
    FullDisk disk = new FullDisk();
    FollowService following = live.start(never(), disk);
    await("readiness", following::ready);
    disk.full = true;
    assertThatIOException()
        .isThrownBy(() -> following.backfill(ALL, listener))
        .withMessageContaining("No space left on device");
    assertThat(live.answer(GROUP)).hasSize(DAYS * (EVENTS + 1));
  }

  @Test
  void endOfTheProcessEndsTheRequest() throws Exception {
    FollowService following = live.start(never());
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    Thread asking =
        new Thread(
            () -> {
              try {
                following.backfill(
                    new BackfillRequest(List.of(), TimeRange.ALL, 100_000), listener);
              } catch (IOException | InterruptedException e) {
                end.complete(e);
              }
            });
    asking.start();
    await("its begin", () -> listener.planned.get() > 0);
    asking.interrupt();
    live.stop();
    assertThatExceptionOfType(InterruptedException.class)
        .isThrownBy(
            () -> {
              throw end.get();
            });
    try (Stream<Path> files = Files.walk(live.storePath)) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("unfinished"));
    }
  }

  private long storedBytes() throws IOException {
    long bytes = 0;
    for (Block block : live.blocks(GROUP)) {
      bytes += block.storedBytes();
    }
    return bytes;
  }

  private List<String> stamps() throws IOException {
    List<String> stamps = new ArrayList<>();
    for (Block block : live.blocks(GROUP)) {
      block.spans().forEach(span -> stamps.add(span.stamp()));
    }
    return stamps;
  }

  /** Records the messages to the requester. */
  private static final class RecordingListener implements BackfillListener {
    final AtomicLong planned = new AtomicLong();
    final AtomicLong scanned = new AtomicLong();
    final List<Block> committed = new CopyOnWriteArrayList<>();
    final List<String> problems = new CopyOnWriteArrayList<>();

    @Override
    public void planned(long rawBytes) {
      planned.set(rawBytes);
    }

    @Override
    public void scanned(Group group, long rawBytes, long events) {
      scanned.addAndGet(rawBytes);
    }

    @Override
    public void committed(Block block, long storedBytes) {
      committed.add(block);
    }

    @Override
    public void problem(Group group, String message) {
      problems.add(message);
    }
  }
}
