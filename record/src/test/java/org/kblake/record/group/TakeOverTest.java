package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.standby.Latch;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.model.Group;
import org.kblake.core.model.ValueType;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.LogSettings;
import org.kblake.record.log.LogTiming;
import org.kblake.record.log.SyncPolicy;

/** Two recorders of a group, with a latch that the test sets. */
class TakeOverTest {

  private static final Group GROUP = RecorderFixture.GROUP;
  private static final long TENTH = TimeUnit.MILLISECONDS.toNanos(100);

  @TempDir private Path root;
  private final SetClock clock = new SetClock();
  private final List<Side> sides = new ArrayList<>();

  /** What a test says instead of a file or ZooKeeper. */
  static final class SetLatch implements Latch {
    boolean isHeld;

    @Override
    public boolean isHeld() {
      return isHeld;
    }

    @Override
    public boolean isConfirmed() {
      return isHeld;
    }

    @Override
    public boolean mayWrite() {
      return isHeld;
    }

    @Override
    public void close() {}
  }

  /** A recorder. */
  private final class Side implements GroupListener {
    final ScriptedSource source = new ScriptedSource(clock);
    final SetLatch latch = new SetLatch();
    final FailingFiles files = new FailingFiles();
    final List<String> notices = new ArrayList<>();
    final List<LogGap> gaps = new ArrayList<>();
    final Recorder recorder;
    final GroupCounts counts;
    boolean isSeamless;
    int takeOvers;

    Side(long waitingBytes, boolean standsBy) throws IOException {
      LogSettings log =
          new LogSettings(
              root,
              ArchiveSettings.defaults(),
              LogTiming.DEFAULT,
              SyncPolicy.NONE,
              Integer.MAX_VALUE);
      recorder =
          new Recorder(
              source,
              new RecorderSettings(log, TimeRule.RECEPTION, waitingBytes, files, clock),
              this,
              new DiskThreads(Runnable::run, 0));
      if (standsBy) {
        recorder.standBy(
            new StandbySettings(latch, TimeUnit.SECONDS.toNanos(60), TimeUnit.SECONDS.toNanos(5)));
      }
      counts = recorder.add(GROUP);
      sides.add(this);
      source.connect("A", ValueType.DOUBLE, 1);
      source.connect("B", ValueType.DOUBLE, 1);
    }

    /** Takes turns, each a tenth of a second. */
    Side turns(int number) {
      for (int i = 0; i < number; i++) {
        clock.pass(TENTH);
        recorder.turn();
        recorder.turn();
      }
      return this;
    }

    long count(Count count) {
      return counts.get(count);
    }

    @Override
    public void takesOver(Group group, boolean seamless, long aliveNanos) {
      isSeamless = seamless;
      takeOvers++;
    }

    @Override
    public void gap(Group group, LogGap gap) {
      gaps.add(gap);
    }

    @Override
    public void notice(Group group, String line) {
      notices.add(line);
    }
  }

  @BeforeEach
  void list() throws IOException {
    Files.createDirectories(root.resolve("SYS/LCF"));
    Files.write(root.resolve("SYS/LCF/CCG.lcf"), List.of("A", "B"));
  }

  @AfterEach
  void close() {
    sides.forEach(side -> side.recorder.close());
  }

  private Side active() throws IOException {
    Side active = new Side(1 << 24, true);
    active.latch.isHeld = true;
    return active.turns(30);
  }

  /** Posts values to recorders, some in each tenth of a second. */
  private void post(int tenths, int values, Side... to) {
    for (int i = 0; i < tenths; i++) {
      for (int value = 0; value < values; value++) {
        for (Side side : to) {
          side.source.value("A", value);
        }
      }
      clock.pass(TENTH);
      for (Side side : to) {
        side.recorder.turn();
        side.recorder.turn();
      }
    }
  }

  @Test
  void theNewestEventsAreKeptWhereMemoryIsFull() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 22, true).turns(30);
    post(300, 1000, active, standby);
    active.turns(2);
    long before = standby.count(Count.RECEIVED);
    post(5, 1000, standby); // the active one has ended
    standby.latch.isHeld = true;
    standby.turns(30);
    assertThat(standby.count(Count.RECEIVED)).isEqualTo(before + 5000);
    assertThat(standby.count(Count.WRITTEN)).isBetween(5000L, 5010L);
    assertThat(standby.count(Count.LOST)).isZero();
    assertThat(standby.isSeamless).isTrue();
    assertAllAreCounted(standby);
  }

  @Test
  void whatMemoryHadNoRoomForIsLostAtATakeOver() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 22, true).turns(30);
    post(100, 1000, active, standby);
    active.turns(2);
    post(200, 1000, standby); // the active one has ended
    standby.latch.isHeld = true;
    standby.turns(30);
    assertThat(standby.count(Count.WRITTEN)).isGreaterThan(20_000);
    assertThat(standby.count(Count.LOST)).isGreaterThan(50_000);
    assertThat(standby.count(Count.WRITTEN) + standby.count(Count.LOST))
        .isBetween(199_000L, 201_000L);
    assertThat(standby.isSeamless).isFalse();
    assertThat(standby.gaps).hasSize(1);
    assertAllAreCounted(standby);
  }

  /** Values of B between its last one in the log and its connection are nowhere. */
  @Test
  void aChannelThatOnlyTheOtherHadMayLackValues() throws IOException {
    assertThat(takeOver(false).isSeamless).isFalse();
  }

  @Test
  void aChannelThatNobodyHadLacksNothing() throws IOException {
    assertThat(takeOver(true).isSeamless).isTrue();
  }

  /** Takes over with B, which comes back after the other one has ended. */
  private Side takeOver(boolean isDownForBoth) throws IOException {
    Side active = active();
    active.source.value("B", 1);
    Side standby = new Side(1 << 22, true).turns(30);
    standby.source.disconnect("B");
    if (isDownForBoth) {
      active.source.disconnect("B");
    }
    post(100, 1, active, standby);
    active.turns(2);
    post(2, 1, standby); // the active one has ended
    standby.source.connect("B", ValueType.DOUBLE, 1);
    standby.source.value("B", 2);
    standby.latch.isHeld = true;
    standby.turns(30);
    assertThat(standby.takeOvers).isEqualTo(1);
    return standby;
  }

  private static void assertAllAreCounted(Side side) {
    long counted =
        side.count(Count.WRITTEN)
            + side.count(Count.LOST)
            + side.count(Count.REFUSED)
            + side.count(Count.LEFT);
    assertThat(counted).isEqualTo(side.count(Count.RECEIVED));
  }

  @Test
  void nothingIsLeftToARecorderThatHasEnded() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 24, true).turns(30);
    post(150, 10, active, standby);
    active.turns(2);
    standby.files.creating =
        file -> {
          throw new IOException("Read-only file system");
        };
    standby.latch.isHeld = true;
    post(1800, 10, standby);
    standby.files.creating = file -> {};
    standby.turns(30);
    assertThat(standby.count(Count.WRITTEN)).isBetween(18_000L, 18_010L);
    assertThat(standby.count(Count.LOST)).isZero();
    assertThat(standby.isSeamless).isTrue();
    assertAllAreCounted(standby);
  }

  /** A comparison costs seconds if many events are kept, and the other recorder has ended. */
  @Test
  void whileTheDiskIsFullTheLogsAreComparedOnce() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 22, true).turns(30);
    post(20, 1, active, standby);
    active.turns(2);
    post(600, 200, standby); // more than memory has
    standby.files.creating =
        file -> {
          throw new IOException("No space left on device");
        };
    standby.latch.isHeld = true;
    standby.turns(30);
    long lost = standby.count(Count.LOST);
    long waiting = standby.recorder.states().get(0).waitingEvents();
    assertThat(waiting).isGreaterThan(50_000);
    for (Path log : LoggedEvents.logs(root, GROUP)) {
      Files.write(log, new byte[0]); // whoever reads it now knows nothing
    }
    standby.turns(30);
    standby.files.creating = file -> {};
    standby.turns(30);
    assertThat(standby.takeOvers).isEqualTo(1);
    assertThat(standby.count(Count.WRITTEN)).isEqualTo(waiting);
    assertThat(standby.count(Count.LOST)).isEqualTo(lost);
    assertAllAreCounted(standby);
  }

  /** Else its values wait for the second pair, and a kill loses them. */
  @Test
  void theFirstPairHasThePresentTypes() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 22, true).turns(30);
    for (Side side : List.of(active, standby)) {
      side.source.disconnect("B");
      side.source.connect("B", ValueType.LONG, 3);
      side.source.value("B", ValueType.LONG, new byte[4], 0, clock.wallNanos());
    }
    post(700, 1, active, standby);
    for (Side side : List.of(active, standby)) {
      side.source.value("B", ValueType.LONG, new byte[12], 0, clock.wallNanos());
      side.turns(1);
    }
    active.turns(2);
    standby.source.value("B", ValueType.LONG, new byte[8], 0, clock.wallNanos());
    standby.latch.isHeld = true;
    standby.turns(30);
    assertThat(standby.takeOvers).isEqualTo(1);
    assertThat(standby.recorder.states().get(0).waitingEvents()).isZero();
    assertThat(standby.count(Count.WRITTEN)).isBetween(1L, 20L);
    assertAllAreCounted(standby);
  }

  /** Each retry has another name. */
  @Test
  void aPairWithoutStampsLeavesNoFiles() throws IOException {
    Side active = new Side(1 << 24, true);
    active.latch.isHeld = true;
    active.files.creating =
        file -> {
          if (file.toString().endsWith(".stamps")) {
            throw new IOException("Input/output error");
          }
        };
    active.turns(50);
    assertThat(active.recorder.fault(GROUP)).contains("Input/output error");
    assertThat(LoggedEvents.logs(root, GROUP)).isEmpty();
    active.files.creating = file -> {};
    active.turns(20);
    assertThat(LoggedEvents.logs(root, GROUP)).hasSize(1);
  }

  /** Before the logs are compared, all that is kept is new or not: nobody knows. */
  @Test
  void whatLeavesMemoryWhileTheArchiveIsAwayIsLost() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 22, true).turns(30);
    post(20, 1, active, standby);
    active.turns(2);
    standby.files.listing = TakeOverTest::fail;
    standby.latch.isHeld = true;
    post(600, 200, standby); // more than memory has
    standby.files.listing = directory -> {};
    standby.turns(30);
    assertThat(standby.takeOvers).isEqualTo(1);
    assertThat(standby.count(Count.LOST)).isGreaterThan(30_000);
    assertThat(standby.count(Count.WRITTEN)).isGreaterThan(40_000);
    assertThat(standby.count(Count.WRITTEN) + standby.count(Count.LOST))
        .isBetween(119_900L, 120_100L);
    assertThat(standby.isSeamless).isFalse();
    assertThat(standby.gaps).hasSize(1);
    assertAllAreCounted(standby);
  }

  private static void fail(Path file) throws IOException {
    throw new IOException("Stale file handle: " + file);
  }

  /** Otherwise all that is kept would be written twice. */
  @Test
  void aLogThatCannotBeReadOnceIsReadAgain() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 24, true).turns(30);
    post(200, 1, active, standby);
    active.turns(2);
    standby.files.listing = TakeOverTest::fail;
    standby.latch.isHeld = true;
    post(300, 1, standby);
    Path stamps = Files.createDirectory(root.resolve("VA/.CCG_20300101000000.stamps"));
    standby.files.listing = directory -> {};
    standby.turns(15);
    Files.delete(stamps);
    standby.turns(30);
    assertThat(standby.count(Count.WRITTEN)).isBetween(300L, 310L);
    assertThat(standby.isSeamless).isTrue();
    assertAllAreCounted(standby);
  }

  @Test
  void aRecorderWithoutStandbyIsNotReplaced() throws IOException {
    Side plain = new Side(1 << 24, false).turns(30);
    Side standby = new Side(1 << 24, true);
    standby.latch.isHeld = true;
    post(600, 10, plain, standby);
    assertThat(standby.count(Count.WRITTEN)).isZero();
    assertThat(standby.recorder.isRefused(GROUP)).isTrue();
    assertThat(plain.recorder.isRefused(GROUP)).isFalse();
    assertThat(plain.count(Count.WRITTEN)).isEqualTo(plain.count(Count.RECEIVED));
    assertThat(standby.count(Count.REFUSED)).isGreaterThan(5000);
    assertAllAreCounted(standby);
  }

  @Test
  void oneThatWasReplacedTakesOverAgain() throws IOException {
    Side first = active();
    Side second = new Side(1 << 24, true).turns(30);
    post(20, 1, first, second);
    second.latch.isHeld = true;
    post(20, 1, second); // the first one is stopped, and after that the second one is killed
    post(100, 1, first);
    assertThat(first.recorder.isRefused(GROUP)).isFalse();
    assertThat(first.takeOvers).isEqualTo(2);
    assertThat(first.count(Count.WRITTEN) + first.count(Count.LOST)).isGreaterThanOrEqualTo(120);
  }

  @Test
  void whatWaitedForADiskLongerThanTheOtherKeepsItIsLost() throws IOException {
    Side active = active();
    active.files.roomBytes = 0;
    post(1800, 10, active);
    active.latch.isHeld = false;
    active.turns(1);
    assertThat(active.count(Count.LOST)).isBetween(11_800L, 12_200L);
    assertThat(active.count(Count.LEFT)).isBetween(5_800L, 6_200L);
    assertAllAreCounted(active);
  }

  /** Of those that found no memory nobody knows when they were received. */
  @Test
  void whatFoundNoMemoryWithoutADiskIsNotLeft() throws IOException {
    Side active = new Side(1 << 20, true);
    active.latch.isHeld = true;
    active.turns(30).files.roomBytes = 0;
    post(1800, 20, active);
    active.latch.isHeld = false;
    active.turns(1);
    assertThat(active.count(Count.LOST)).isBetween(23_900L, 36_100L);
    assertAllAreCounted(active);
  }

  @Test
  void theLogOfTheRecorderBeforeIsNotNeededAnyMore() throws IOException {
    Side active = active();
    Side standby = new Side(1 << 24, true).turns(30);
    post(150, 1, active, standby);
    active.turns(2);
    List<Path> logs = LoggedEvents.logs(root, GROUP);
    standby.latch.isHeld = true;
    standby.turns(30);
    Path before = logs.get(0);
    Files.delete(before);
    Files.createDirectory(before); // it cannot be read
    for (int i = 0; i < 500; i++) {
      Files.createFile(before.resolve("a-file-with-a-long-name-" + i));
    }
    post(50, 1, standby);
    assertThat(standby.recorder.fault(GROUP)).isEmpty();
    assertThat(standby.notices).filteredOn(line -> line.contains("doubles")).hasSize(1);
    assertAllAreCounted(standby);
  }
}
