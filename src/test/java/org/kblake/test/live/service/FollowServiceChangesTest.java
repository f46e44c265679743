package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.layout.RecordEntry;
import org.kblake.core.layout.RecordTable;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.live.FollowService;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.ingest.internal.live.state.FollowSettings;
import org.kblake.test.fixture.CommandFixture;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;
import org.kblake.test.fixture.volume.FullDisk;

/** Logs, blocks and disks that change, fail or are missing while the service follows them. */
final class FollowServiceChangesTest extends FollowedArchive {

  /** The clock stands still, so that the block is compared after the log has changed. */
  @Test
  void makesABlockAgainWhoseLogChanged() throws Exception {
    LogWriter writer = live.pair(GROUP, 0);
    live.segment(writer, 0, 100);
    live.segment(writer, 60, 100);
    AtomicReference<Instant> now = new AtomicReference<>(live.begin.plusSeconds(120));
    InstantSource source = now::get;
    FollowSettings settings = FollowServiceFixture.eager();
    live.start(live.archive, settings, new UnforcedFiles(), source.withZone(ZoneOffset.UTC));
    await("a block", () -> !live.blocks(GROUP).isEmpty());
    Instant made = Files.getLastModifiedTime(live.blocks(GROUP).get(0).directory()).toInstant();
    // The page was stale when it was read: the first event gets another value.
    long event = firstEventOffset(GROUP);
    put(logPath(GROUP), event + 20, Double.doubleToRawLongBits(-4.25));
    now.set(made.plus(settings.recheck().multipliedBy(2)));
    await("the comparison", () -> !live.discarded.isEmpty());
    await(
        "the block made again",
        () ->
            !live.blocks(GROUP).isEmpty()
                && TestStores.verify(live.archive, live.storePath).isEmpty());
    assertThat(live.discarded.get(0)).contains("other bytes", logPath(GROUP).toString());
    assertThat(live.answer(GROUP)).anyMatch(line -> line.endsWith("dc011000000000000"));
    writer.close();
  }

  @Test
  void makesAllBlocksAgainIfALinkLeadsToAnotherPair() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
      live.segment(writer, 60, 100);
    }
    live.start(FollowServiceFixture.eager());
    await("the pair", () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    Path elsewhere = Files.createDirectories(directory.resolve("volume"));
    FollowServiceFixture other = new FollowServiceFixture(elsewhere);
    Pair old = live.archive.pairs(GROUP).get(0);
    try (LogWriter writer =
        LogWriter.create(
            other.root,
            GROUP,
            old.stamp(),
            ByteOrder.LITTLE_ENDIAN,
            new RecordTable(List.of(new RecordEntry(7, "VALCCG:OTHER", ValueType.LONG, 1))))) {
      writer.milestone(live.nanos(0));
      writer.number(0, live.nanos(1), 0, 0, 12);
    }
    for (Path file : List.of(old.logPath(), old.indexPath())) {
      Files.delete(file);
      Files.createSymbolicLink(file, other.root.resolve("VA").resolve(file.getFileName()));
    }
    await(
        "the other pair",
        () -> live.blocks(GROUP).stream().anyMatch(block -> block.summary().events() == 1));
    await(
        "no old block", () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    assertThat(live.answer(GROUP)).hasSize(1);
  }

  @Test
  void reportsAMissingVolumeOnceAndContinuesWhenItReturns() throws Exception {
    Path volume = Files.createDirectories(directory.resolve("volume"));
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    Path log = logPath(GROUP);
    Path moved = volume.resolve(log.getFileName());
    Files.move(log, moved);
    Files.createSymbolicLink(log, moved);
    Path away = directory.resolve("away");
    Files.move(volume, away);
    live.start(FollowServiceFixture.eager());
    await("the problem", () -> !live.problems.isEmpty());
    Files.move(away, volume);
    await("the block", () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    assertThat(live.problems).hasSize(1);
    assertThat(live.problems.get(0)).contains(log.toString());
    await("the end of the problem", () -> live.over.equals(live.problems));
  }

  @Test
  void continuesWhenADiskHasSpaceAgain() throws Exception {
    FullDisk disk = new FullDisk();
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    disk.full = true;
    live.start(FollowServiceFixture.eager(), disk);
    await("the problem", () -> !live.problems.isEmpty());
    assertThat(live.problems.get(0)).contains("No space left on device");
    assertThat(live.answer(GROUP)).hasSize(101);
    disk.full = false;
    await("the block", () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    await("the end of the problem", () -> live.over.equals(live.problems));
  }

  @Test
  void continuesWithOtherGroupsIfAPairIsDamaged() throws Exception {
    Group broken = new Group("BM", "DCCT");
    try (LogWriter writer = live.pair(broken, 0)) {
      live.segment(writer, 0, 10);
    }
    put(live.archive.pairs(broken).get(0).indexPath(), 0, 0x1234567812345678L);
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 100);
    }
    live.start(FollowServiceFixture.eager());
    await(
        "the sound group",
        () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    await("the problem", () -> !live.problems.isEmpty());
    assertThat(live.problems).hasSize(1);
  }

  @Test
  void makesADamagedBlockAgain() throws Exception {
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 5_000);
    }
    FollowService following = live.start(FollowServiceFixture.scrubbing());
    await("the block", () -> live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP));
    Block block = live.blocks(GROUP).get(0);
    await("a proof", () -> following.counters().get(Count.SCRUBBED_BLOCKS) > 0);
    CommandFixture.flip(block.directory().resolve("double.parquet"), 1_000);
    await("the remedy", () -> following.counters().get(Count.REMADE_BLOCKS) == 1);
    await(
        "the block made again",
        () ->
            live.coveredBytes(GROUP) == TestStores.logBytes(live.archive, GROUP)
                && TestStores.verify(live.archive, live.storePath).isEmpty());
    assertThat(live.blocks(GROUP).get(0).generation()).isEqualTo(block.generation() + 1);
    assertThat(live.problems).hasSize(1);
    assertThat(live.problems.get(0)).contains(block.directory().toString());
    assertThat(live.answer(GROUP)).hasSize(5_001);
  }

  private Path logPath(Group group) throws IOException {
    return live.archive.pairs(group).get(0).logPath();
  }

  /** Returns the offset of the event behind the first milestone. */
  private long firstEventOffset(Group group) throws IOException {
    return live.archive.pairs(group).get(0).open().firstEvent().length;
  }

  private static void put(Path file, long offset, long bits) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      ByteBuffer bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      channel.write(bytes.putLong(0, bits), offset);
    }
  }
}
