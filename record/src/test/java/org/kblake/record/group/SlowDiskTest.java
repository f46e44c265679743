package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.record.group.RecorderFixture.GROUP;
import static org.kblake.record.group.SetClock.SECOND;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.model.Group;
import org.kblake.record.log.DiskThreads;
import org.kblake.record.log.SyncPolicy;

/** Calls of the file system that take long, or for ever, harm their group only. */
final class SlowDiskTest {

  private static final Group OTHER = new Group("RF", "CAV");

  /** A sixteenth of what the tests give. */
  private static final int RING_BYTES = 1 << 16;

  private static final int EVENTS = 16_000;

  @TempDir Path directory;
  private Path root;
  private RecorderFixture fixture;
  private final CountDownLatch answer = new CountDownLatch(1);
  private final ExecutorService disk = Executors.newCachedThreadPool();

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(directory.resolve("archive"));
    fixture = new RecorderFixture(root, new SetClock(), RING_BYTES);
    fixture.threads = new DiskThreads(disk, SECOND / 5);
  }

  /** What hung goes on, and ends before its directory is deleted. */
  @AfterEach
  void answer() throws InterruptedException {
    answer.countDown();
    disk.shutdown();
    assertThat(disk.awaitTermination(60, TimeUnit.SECONDS)).isTrue();
  }

  private void hang(Path ignored) {
    try {
      answer.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void turnUntil(BooleanSupplier isDone) {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!isDone.getAsBoolean()) {
      assertThat(System.nanoTime()).as("%s", fixture.notices).isLessThan(end);
      fixture.turn();
      Thread.onSpinWait();
    }
  }

  private void begin() throws IOException {
    fixture.begin("A");
    Path list = Files.writeString(directory.resolve("names"), "X\n");
    GroupCounts other = fixture.recorder().add(OTHER, new ListFile(list));
    fixture.connect("A", "X");
    turnUntil(() -> fixture.counts.get(Count.WRITTEN) == 1 && other.get(Count.WRITTEN) == 1);
  }

  /** Gives many times what the ring has room for. */
  private void give(String... names) {
    for (int i = 0; i < EVENTS / names.length; i++) {
      for (String name : names) {
        fixture.source.value(name, i);
      }
      if (i % 100 == 99) {
        fixture.turn();
      }
    }
  }

  private List<String> given(String name) {
    return fixture.source.given.stream().filter(line -> line.startsWith(name + " ")).toList();
  }

  @Test
  void aGroupWhoseDiskDoesNotAnswerHarmsNoOther() throws IOException {
    begin();
    Path troubled = root.resolve("VA");
    fixture.files.writing =
        file -> {
          if (file.startsWith(troubled)) {
            hang(file);
          }
        };
    fixture.source.value("A", 0);
    fixture.pass(SECOND);
    fixture.pass(2 * SECOND);
    assertThat(fixture.recorder().fault(GROUP)).contains("has not answered");
    turnUntil(() -> fixture.recorder().fault(OTHER).isEmpty());
    give("A", "X");
    turnUntil(
        () -> {
          fixture.clock.pass(SECOND);
          return read(OTHER).equals(given("X"));
        });
    assertThat(fixture.recorder().fault(GROUP)).contains("has not answered");
    answer.countDown();
    turnUntil(() -> fixture.recorder().fault(GROUP).isEmpty());
    assertThat(fixture.notices)
        .contains(
            "the disk has not answered for a second; events wait in memory",
            "the log is written again");
    close();
    assertThat(read(GROUP)).isEqualTo(given("A"));
    assertThat(fixture.gaps).isEmpty();
  }

  /** Lets the end take as long as it needs. */
  private void close() {
    turnUntil(
        () -> {
          fixture.clock.pass(SECOND);
          return fixture.counts.get(Count.WRITTEN) == given("A").size();
        });
    fixture.close();
  }

  private List<String> read(Group group) {
    try {
      return LoggedEvents.read(root, group);
    } catch (IOException | AssertionError e) {
      return List.of(e.toString()); // it is being written
    }
  }

  @Test
  void aDirectoryThatHangsWhenItsGroupIsAddedHarmsNoOther() throws IOException {
    fixture.begin("A");
    fixture.connect("A");
    Path troubled = root.resolve("RF");
    fixture.files.listing =
        file -> {
          if (file.startsWith(troubled)) {
            hang(file);
          }
        };
    Path list = Files.writeString(directory.resolve("names"), "X\n");
    List<GroupCounts> added = new ArrayList<>();
    fixture.recorder().add(OTHER, new ListFile(list), begin -> added.add(begun(begin)));
    turnUntil(() -> fixture.counts.get(Count.WRITTEN) == 1);
    give("A");
    passUntil(() -> read(GROUP).equals(given("A")));
    assertThat(added).isEmpty();
    answer.countDown();
    turnUntil(() -> !added.isEmpty());
    fixture.connect("X");
    turnUntil(() -> added.get(0).get(Count.WRITTEN) == 1);
    fixture.close();
    assertThat(read(GROUP)).isEqualTo(given("A"));
    assertThat(fixture.gaps).isEmpty();
  }

  private static GroupCounts begun(Recorder.Begin begin) {
    try {
      return begin.begin();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a listener reads is worth some seconds, and no group. */
  @Test
  void aListenerThatReadsForEverKeepsNoGroup() throws IOException {
    fixture.adding = () -> hang(root);
    fixture.write("A");
    Recorder recorder = fixture.make();
    List<GroupCounts> added = new ArrayList<>();
    recorder.add(GROUP, new ListFile(fixture.list()), begin -> added.add(begun(begin)));
    passUntil(() -> !added.isEmpty());
    fixture.close();
  }

  @Test
  void aListThatHangsDoesNotKeepOthersFromBeingRead() throws IOException {
    fixture.begin("A");
    Path list = Files.writeString(directory.resolve("names"), "X\n");
    AtomicBoolean hangs = new AtomicBoolean();
    CountDownLatch hanging = new CountDownLatch(1);
    ListFile troubled =
        new ListFile(
            list,
            file -> {
              if (hangs.get()) {
                hanging.countDown();
                hang(file);
              }
              return RecordList.read(file);
            });
    fixture.recorder().add(OTHER, troubled);
    fixture.connect("A", "X");
    hangs.set(true);
    Files.writeString(list, "X\nY\n");
    passUntil(() -> hanging.getCount() == 0);
    fixture.write("A", "B");
    passUntil(() -> fixture.source.names.contains("B"));
    assertThat(fixture.source.names).doesNotContain("Y");
    answer.countDown();
    passUntil(() -> fixture.source.names.contains("Y"));
    fixture.close();
  }

  private void passUntil(BooleanSupplier isDone) {
    turnUntil(
        () -> {
          fixture.clock.pass(SECOND);
          return isDone.getAsBoolean();
        });
  }

  @Test
  void slowSyncsOfAllGroupsLoseNothing() throws IOException {
    fixture.sync = SyncPolicy.INTERVAL;
    begin();
    fixture.files.syncing = this::hang;
    fixture.source.value("A", 0);
    fixture.source.value("X", 0);
    fixture.pass(2 * SECOND);
    give("A", "X");
    answer.countDown();
    close();
    assertThat(read(GROUP)).isEqualTo(given("A"));
    assertThat(read(OTHER)).isEqualTo(given("X"));
    assertThat(fixture.gaps).isEmpty();
  }

  /** The process must end, and say what the files may not have. */
  @Test
  void aSyncThatHangsForEverDoesNotKeepTheProcess() throws IOException {
    fixture.sync = SyncPolicy.INTERVAL;
    begin();
    Path troubled = root.resolve("VA");
    fixture.files.syncing =
        file -> {
          if (file.startsWith(troubled)) {
            hang(file);
          }
        };
    fixture.source.value("A", 1);
    fixture.pass(2 * SECOND);
    fixture.source.value("A", 2);
    fixture.source.value("X", 2);
    fixture.close();
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(1);
    assertThat(fixture.counts.get(Count.LOST)).isEqualTo(2).isEqualTo(fixture.lost());
    assertThat(fixture.gaps)
        .singleElement()
        .extracting(LogGap::reason)
        .isEqualTo(LossReason.NO_DISK);
    assertThat(fixture.notices).last().asString().contains("could not be ended", "events=2");
    assertThat(read(OTHER)).isEqualTo(given("X"));
  }

  /** Events in the buffer are earlier than all that wait. */
  @Test
  void theSpanOfAnEndThatHangsHasWhatTheBufferHad() throws IOException {
    begin();
    passUntil(() -> read(GROUP).equals(given("A")));
    fixture.files.roomBytes = 0;
    long first = fixture.clock.wallNanos();
    fixture.source.value("A", 1);
    passUntil(() -> fixture.recorder().fault(GROUP).contains("No space left"));
    assertThat(fixture.counts.get(Count.WRITTEN)).isEqualTo(2);
    fixture.source.value("A", 2);
    passUntil(() -> fixture.recorder().states().get(0).waitingEvents() == 1);
    fixture.files.writing = this::hang;
    fixture.close();
    LogGap gap = fixture.gaps.get(0);
    assertThat(gap.events()).isEqualTo(2);
    assertThat(gap.fromNanos()).isLessThanOrEqualTo(first);
  }

  /** Memory for events is shared: a group that fills it leaves some for others. */
  @Test
  void aGroupThatFillsTheMemoryLosesOnlyItsOwnEvents() throws IOException {
    fixture.waitingBytes = 1 << 19;
    begin();
    Path troubled = root.resolve("VA");
    fixture.files.writing =
        file -> {
          if (file.startsWith(troubled)) {
            hang(file);
          }
        };
    fixture.source.value("A", 0);
    fixture.pass(SECOND);
    fixture.pass(2 * SECOND);
    give("A");
    for (int i = 0; i < 40; i++) {
      for (int j = 0; j < 100; j++) {
        fixture.source.value("X", j);
      }
      fixture.pass(SECOND);
      turnUntil(() -> read(OTHER).equals(given("X")));
    }
    answer.countDown();
    turnUntil(() -> fixture.recorder().fault(GROUP).isEmpty());
    fixture.pass(SECOND);
    turnUntil(
        () ->
            fixture.counts.get(Count.WRITTEN) + fixture.counts.get(Count.LOST)
                == given("A").size());
    fixture.close();
    List<String> found = read(GROUP);
    assertThat(given("A")).containsSubsequence(found);
    assertThat(found).endsWith(given("A").get(given("A").size() - 1));
    assertThat(fixture.lost()).isEqualTo(given("A").size() - found.size()).isPositive();
    assertThat(fixture.gaps).allMatch(gap -> gap.reason() == LossReason.NO_DISK);
    assertThat(read(OTHER)).isEqualTo(given("X"));
  }

  /** The buffers of idle groups are small. */
  @Test
  void aThousandGroupsFitIntoSmallMemory() throws IOException {
    fixture.threads = new DiskThreads(Runnable::run, 0);
    fixture.begin("A");
    List<String> names = new ArrayList<>(List.of("A"));
    long before = usedHeap();
    for (int i = 0; i < 1000; i++) {
      Path list = Files.writeString(directory.resolve("names" + i), "B" + i + "\n");
      fixture.recorder().add(new Group("RF", "G" + i), new ListFile(list));
      names.add("B" + i);
    }
    for (int i = 0; i < names.size(); i += 100) {
      fixture.connect(names.subList(i, Math.min(names.size(), i + 100)).toArray(String[]::new));
    }
    try (Stream<Path> files = Files.list(root.resolve("RF"))) {
      assertThat(files.filter(file -> file.toString().endsWith("log2"))).hasSize(1000);
    }
    assertThat(usedHeap() - before).isLessThan(100L << 20);
    fixture.close();
  }

  private static long usedHeap() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
