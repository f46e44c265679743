package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogSpan;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;

/** A service keeps its store complete while the archive grows. */
class FollowServiceTest extends FollowedArchive {

  @Test
  void putsWholeSegmentsIntoBlocksWhileTheLogGrows() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
      startGrowing(FollowServiceFixture.eager());
      live.segment(writer, 60, 100);
      long first = sealed();
      live.segment(writer, 120, 50);
      await("the second segment", () -> live.coveredBytes(GROUP) > first);
      assertThat(live.answer(GROUP)).hasSize(253);
    }
    TestStores.closePairs(live.root);
    await(
        "the closed pair",
        () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    assertThat(live.answer(GROUP)).hasSize(253);
    live.stop();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
    assertThat(live.problems).isEmpty();
  }

  /** Starts a service for which a pair grows until {@link TestStores#closePairs}. */
  private FollowService startGrowing(FollowSettings settings) throws IOException {
    return live.start(
        Archive.open(
            live.root, live.archive.settings().withClosedAfterNanos(TimeUnit.HOURS.toNanos(1))),
        settings,
        new UnforcedFiles(),
        Clock.systemUTC());
  }

  /**
   * Awaits the first segment and returns its bytes. It is sealed when log and index have the next
   * milestone.
   */
  private long sealed() throws Exception {
    await("the first segment", () -> !live.blocks(GROUP).isEmpty());
    return live.coveredBytes(GROUP);
  }

  @Test
  void waitsUntilASegmentIsOldOrLargeEnough() throws Exception {
    // The milestone behind the first segment is 59 minutes old, the one behind the second 10 s.
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 10);
      live.segment(writer, 60, 10);
      startGrowing(FollowServiceFixture.settings(Duration.ofMinutes(30), 50_000));
      await("the old segment", () -> live.blocks(GROUP).size() == 1);
      live.segment(writer, 3590, 100);
      long covered = live.coveredBytes(GROUP);
      live.segment(writer, 3595, 10_000);
      live.segment(writer, 3596, 10);
      await("the large segment", () -> live.coveredBytes(GROUP) > covered + 50_000);
      assertThat(live.blocks(GROUP)).hasSize(2);
    }
  }

  @Test
  void leavesARecentSegmentInTheLog() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 3500)) {
      live.segment(writer, 3500, 10);
      live.segment(writer, 3510, 10);
      live.segment(writer, 3520, 10);
      FollowService following =
          startGrowing(FollowServiceFixture.settings(Duration.ofMinutes(30), 50_000));
      await(
          "a look", () -> following.groups().stream().anyMatch(group -> group.pendingBytes() > 0));
      assertThat(live.blocks(GROUP)).isEmpty();
      assertThat(live.answer(GROUP)).hasSize(33);
    }
  }

  @Test
  void gathersRareEventsUntilTheyAreEnoughForABlock() throws Exception {
    // Two channels have three events a segment, so 22 segments have 32 events of each channel.
    LogWriter writer = live.pair(GROUP, 0);
    live.segment(writer, 0, 2);
    FollowService following = startGrowing(FollowServiceFixture.gathering(32));
    live.segment(writer, 60, 2);
    await("the first segment", () -> live.blocks(GROUP).size() == 1);
    long first = live.coveredBytes(GROUP);
    for (int i = 2; i < 16; i++) {
      live.segment(writer, 60L * i, 2);
    }
    await(
        "a poll",
        () ->
            state(following, GROUP).pendingBytes()
                == TestStores.logBytes(live.archive, GROUP) - first);
    await("no lag", () -> state(following, GROUP).behindNanos() == 0);
    assertThat(live.blocks(GROUP)).as("old enough, but too few events").hasSize(1);
    for (int i = 16; i < 23; i++) {
      live.segment(writer, 60L * i, 2);
    }
    await("the second block", () -> live.blocks(GROUP).size() == 2);
    long second = live.coveredBytes(GROUP);
    live.segment(writer, 60L * 23, 2);
    assertThat(live.answer(GROUP)).hasSize(24 * 3);
    writer.close();
    TestStores.closePairs(live.root);
    await(
        "the end of the pair",
        () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    assertThat(second).isLessThan(TestStores.logBytes(live.archive, GROUP));
    live.stop();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
  }

  @Test
  void writesColumnsOfOldEventsInAnotherCodec() throws Exception {
    LogWriter writer = live.pair(GROUP, 0);
    live.segment(writer, 0, 5_000);
    live.segment(writer, 60, 100);
    startGrowing(FollowServiceFixture.eager());
    await("the first segment", () -> live.blocks(GROUP).size() == 1);
    writer.close();
    TestStores.closePairs(live.root);
    await(
        "the closed pair",
        () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    live.stop();
    List<Block> before = live.blocks(GROUP);
    WriteProfile wanted = new WriteProfile(Codec.GZIP, false);
    assertThat(before.get(0).chunks().areCompressedAs(wanted)).isFalse();
    live.start(FollowServiceFixture.aging(wanted));
    await("columns of another codec", () -> allCompressedAs(wanted));
    List<Block> after = live.blocks(GROUP);
    assertThat(live.answer(GROUP)).hasSize(5_102);
    assertThat(after.stream().map(Block::spans).toList())
        .isEqualTo(before.stream().map(Block::spans).toList());
    assertThat(after.get(0).generation()).isGreaterThan(before.get(0).generation());
    try (LogWriter next = live.pair(GROUP, 120)) {
      live.segment(next, 120, 100);
      live.segment(next, 180, 100);
      await("another block", () -> live.blocks(GROUP).size() > after.size());
      await("its columns of the other codec", () -> allCompressedAs(wanted));
    }
    assertThat(live.blocks(GROUP).stream().map(Block::directory).toList())
        .as("once is enough")
        .containsAll(after.stream().map(Block::directory).toList());
    live.stop();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
  }

  private boolean allCompressedAs(WriteProfile profile) throws IOException {
    for (Block block : live.blocks(GROUP)) {
      if (!block.chunks().areCompressedAs(profile)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void continuesInTheNextPairAndKeepsTheEndOfTheFirst() throws Exception {
    LogWriter first = live.pair(GROUP, 0);
    live.segment(first, 0, 100);
    startGrowing(FollowServiceFixture.eager());
    live.segment(first, 60, 100);
    await("a block", () -> !live.blocks(GROUP).isEmpty());
    first.close();
    try (LogWriter second = live.pair(GROUP, 120)) {
      live.segment(second, 120, 100);
      live.segment(second, 180, 100);
      await(
          "both pairs",
          () ->
              live.blocks(GROUP).stream()
                      .flatMap(block -> block.spans().stream())
                      .map(span -> span.stamp())
                      .distinct()
                      .count()
                  == 2);
    }
    TestStores.closePairs(live.root);
    await("all events", () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    assertThat(live.answer(GROUP)).hasSize(404);
    live.stop();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
    for (Block block : live.blocks(GROUP)) {
      for (int i = 0; i < block.spans().size(); i++) {
        LogSpan span = block.spans().get(i);
        boolean ends = span.toOffset() == logBytes(span.stamp());
        assertThat(block.pairs().get(i).closing() != null).isEqualTo(ends);
      }
    }
  }

  @Test
  void followsGroupsThatAppear() throws Exception {
    Group late = new Group("RF", "AnalogData");
    live.start(FollowServiceFixture.eager());
    try (LogWriter writer = live.pair(late, 0)) {
      live.segment(writer, 0, 100);
    }
    await(
        "the new group", () -> live.coveredBytes(late) == TestStores.logBytes(live.archive, late));
    assertThat(live.answer(late)).hasSize(101);
  }

  /** Half an hour after the end of the hour, its more than eight blocks are merged. */
  @Test
  void mergesTheBlocksOfAnHour() throws Exception {
    long hour = Math.floorMod(live.begin.getEpochSecond(), 3600L) + 2 * 3600L;
    for (int minute = 0; minute < 12; minute++) {
      long seconds = 60L * minute - hour;
      try (LogWriter writer = live.pair(GROUP, seconds)) {
        live.segment(writer, seconds, 200);
      }
      TestStores.closePairs(live.root);
      TestStores.backfill(live.archive, live.storePath);
    }
    assertThat(live.blocks(GROUP)).hasSize(12);
    List<String> before = live.answer(GROUP);
    FollowService following = live.start(FollowServiceFixture.eager());
    await("the merge", () -> following.counters().get(Count.MERGED_BLOCKS) == 12);
    await("the one block", () -> following.groups().get(0).blocks() == 1);
    assertThat(live.blocks(GROUP)).hasSize(1);
    assertThat(live.answer(GROUP)).isEqualTo(before).hasSize(12 * 201);
    live.stop();
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
    assertThat(live.discarded).isEmpty();
  }

  @Test
  void leavesNothingUnfinishedWhenItIsStopped() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      for (int i = 0; i < 20; i++) {
        live.segment(writer, i * 60L, 5_000);
      }
    }
    live.start(FollowServiceFixture.eager());
    await("its begin", () -> Files.exists(live.storePath.resolve("VA")));
    live.stop();
    try (Stream<Path> files = Files.walk(live.storePath)) {
      assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith("unfinished"));
    }
    assertThat(live.answer(GROUP)).hasSize(20 * 5_001);
  }

  private long logBytes(String stamp) {
    try {
      for (Pair pair : live.archive.pairs(GROUP)) {
        if (pair.stamp().equals(stamp)) {
          return Files.size(pair.logPath());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new AssertionError(stamp);
  }
}
