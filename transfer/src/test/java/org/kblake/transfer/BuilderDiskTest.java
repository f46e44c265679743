package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.RawCollector;
import org.kblake.transfer.fixture.TestDisk;
import org.kblake.transfer.fixture.TestDisk.Operation;
import org.kblake.transfer.fixture.Trees;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.Frame;

/** What a builder does when its disk loses bytes, or when a file cannot be used. */
@Timeout(120)
@SuppressWarnings("try") // collectors and builders work while they are open
class BuilderDiskTest {

  private static final long STAMP = 20_260_101_000_000L;
  private static final String LOG = "VA/CCG_20260101000000.log2";

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path target = Path.of("");

  /** The operations that fail, by the end of the file's name. */
  private final Map<Operation, String> broken = new ConcurrentHashMap<>();

  private final TestDisk disk =
      new TestDisk(
          (operation, real) -> {
            if (real.toString().endsWith(broken.getOrDefault(operation, "nothing"))) {
              throw new IOException("broken for the test");
            }
          });

  @BeforeEach
  void makeRoot() throws IOException {
    target = Files.createDirectory(directory.resolve("target"));
  }

  @Test
  void aPowerCutAfterManyPairsLosesNone() throws Exception {
    Path source = directory.resolve("source");
    Files.createDirectories(source.resolve("VA"));
    List<String> logs = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      logs.add("CCG_2026010100000" + i);
      Files.writeString(source.resolve("VA/" + logs.get(i) + ".log2"), ("log " + i).repeat(50_000));
      if (i < 6) {
        Files.writeString(source.resolve("VA/" + logs.get(i) + ".log1"), "index " + i);
      }
    }
    List<String> done = Collections.synchronizedList(new ArrayList<>());
    Map<Path, Long> forced = new ConcurrentHashMap<>();
    TestDisk watched =
        new TestDisk(
            (operation, real) -> {
              done.add(operation + " " + real.getFileName());
              if (operation == Operation.FORCE && Files.isRegularFile(real)) {
                forced.put(real, Files.size(real));
              }
            });
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(watched.path(target), "b", collector.address())) {
      ends.await("all", () -> Trees.areSame(source, target));
      assertThat(builder.connected()).isEqualTo(1);
    }
    for (int i = 0; i < 5; i++) {
      assertThat(done)
          .containsSubsequence(
              "FORCE " + logs.get(i) + ".log2", "FORCE " + logs.get(i) + ".log1", "FORCE VA");
    }
    // What was not forced is lost.
    for (String each : Trees.sizes(target).keySet()) {
      Path file = target.resolve(each);
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.truncate(forced.getOrDefault(file, 0L));
      }
    }
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      ends.await("all after the cut", () -> Trees.areSame(source, target));
      assertThat(builder.connected()).isEqualTo(1);
    }
  }

  @Test
  void aDiskThatIsSlowToForceDelaysNoOtherGroup() throws Exception {
    CountDownLatch forces = new CountDownLatch(1);
    TestDisk slow =
        new TestDisk(
            (operation, real) -> {
              if (operation == Operation.FORCE && real.toString().contains("CCG")) {
                assertThat(await(forces)).isTrue();
              }
            });
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(slow.path(target), "b", peer.address())) {
      try {
        peer.welcome();
        give(peer, 1, "VA/CCG");
        for (int i = 0; i < 3; i++) {
          peer.frame(Frame.Kind.LOG, 1, STAMP + i, 0, "log");
        }
        give(peer, 2, "VA/IPump");
        peer.frame(Frame.Kind.LOG, 2, STAMP, 0, "pump");
        ends.await("both", () -> builder.writtenBytes() == 13);
      } finally {
        forces.countDown();
      }
    }
  }

  private static boolean await(CountDownLatch latch) {
    try {
      return latch.await(100, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      return false;
    }
  }

  @Test
  void aGroupThatFailsEndsOnlyItself() throws Exception {
    Path elsewhere = directory.resolve("elsewhere");
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(target, "b", peer.address())) {
      peer.welcome();
      give(peer, 1, "VA/CCG");
      give(peer, 2, "VA/IPump");
      peer.frame(Frame.Kind.LOG, 1, STAMP, 0, "log");
      ends.await("log", () -> builder.writtenBytes() == 3);
      Files.writeString(target.resolve(LOG), "!", StandardOpenOption.APPEND);
      peer.frame(Frame.Kind.LOG, 1, STAMP, 3, "more");
      assertThat(peer.read(Control.Denied.class).reason())
          .contains("someone else has written to it: bytes=4");
      Files.createSymbolicLink(target.resolve("VA/IPump_20260101000000.log2"), elsewhere);
      peer.frame(Frame.Kind.LOG, 2, STAMP, 0, "pump");
      assertThat(peer.read(Control.Denied.class).reason())
          .contains("not a regular file, or a link");
      assertThat(builder.status().get(0).failed()).containsOnlyKeys("VA/CCG", "VA/IPump");

      // These were on their way. They count as received, so that credit is granted for them.
      peer.frame(Frame.Kind.LOG, 1, STAMP, 7, "and more");
      peer.frame(Frame.Kind.LOG, 2, STAMP, 4, "and more");
      give(peer, 3, "BM/DCCT");
      peer.frame(Frame.Kind.LOG, 3, STAMP, 0, "beam");
      ends.await("beam", () -> builder.writtenBytes() == 7);
      ends.await("beat", () -> peer.read(Control.Beat.class).bytes() == 3 + 4 + 4 + 8 + 8 + 4);
      Files.delete(target.resolve("VA/IPump_20260101000000.log2"));
      assertThat(give(peer, 4, "VA/IPump").pairs()).isEmpty();
      assertThat(give(peer, 5, "VA/CCG").pairs().get(0).log()).isEqualTo(4);
      assertThat(builder.status().get(0).failed()).isEmpty();
      assertThat(ends.said("is lost")).isFalse();
    }
    assertThat(Files.readString(target.resolve(LOG))).isEqualTo("log!");
    assertThat(elsewhere).doesNotExist();
  }

  @Test
  void aFileThatCannotBeClosedKeepsNoOtherGroup() throws Exception {
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(disk.path(target), "b", peer.address())) {
      broken.put(Operation.CLOSE, ".log2");
      for (int i = 0; i < 2; i++) {
        peer.welcome();
        for (int number = 1; number < 4; number++) {
          give(peer, number, "VA/G" + number);
          peer.frame(Frame.Kind.LOG, number, STAMP, i, "x");
        }
        long all = 3L * (i + 1);
        ends.await("bytes", () -> builder.writtenBytes() == all);
      }
    }
  }

  @Test
  void aDirectoryThatCannotBeReadFailsItsGroupUntilItCan() throws Exception {
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(disk.path(target), "b", peer.address())) {
      peer.welcome();
      broken.put(Operation.LIST, "VA");
      peer.frame(Frame.Kind.GIVE, 1, 0, 0, "VA/CCG");
      assertThat(peer.read(Control.Denied.class).reason()).contains("broken for the test");
      broken.clear();
      give(peer, 2, "VA/CCG");
      assertThat(builder.connected()).isEqualTo(1);
    }
  }

  @Test
  void anErrorOfTheProgramDoesNotEndTheLink() throws Exception {
    TestDisk strange =
        new TestDisk(
            (operation, real) -> {
              if (operation == Operation.WRITE && real.toString().endsWith(".log2")) {
                throw new IllegalStateException("strange");
              }
            });
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(strange.path(target), "b", peer.address())) {
      for (int i = 0; i < 2; i++) {
        peer.welcome();
        give(peer, 1, "VA/CCG");
        peer.frame(Frame.Kind.LOG, 1, STAMP, 0, "x");
        ends.await("report", () -> ends.said("unexpected: java.lang.IllegalStateException"));
      }
      assertThat(builder.status().get(0).problem()).contains("strange");
    }
  }

  @Test
  void aFullDiskLeavesNoHalfOfAGroupInTheList() throws Exception {
    Map<Path, Integer> writes = new HashMap<>();
    TestDisk full =
        new TestDisk(
            (operation, real) -> {
              if (operation == Operation.WRITE
                  && real.endsWith("KEKBLog.list")
                  && writes.merge(real, 1, Integer::sum) == 2) {
                throw new IOException("No space left on device");
              }
            });
    Path list = Files.createDirectory(target.resolve("SYS")).resolve("KEKBLog.list");
    Files.writeString(list, "OTHER GROUP");
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(full.path(target), "b", peer.address())) {
      peer.welcome();
      peer.frame(Frame.Kind.GIVE, 1, 0, 0, "VA/CCG");
      assertThat(peer.read(Control.Denied.class).reason()).contains("No space left");
      assertThat(Files.readString(list)).isEqualTo("OTHER GROUP");
      give(peer, 2, "VA/CCG");
      Files.writeString(list, "RECORDED  THERE\n", StandardOpenOption.APPEND);
      give(peer, 3, "RECORDED/THERE");
      give(peer, 4, "VA/IPump");
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(Files.readString(list))
        .isEqualTo("OTHER GROUP\nVA CCG\nRECORDED  THERE\nVA IPump\n");
  }

  @Test
  void longNamesAreNotLogged() throws Exception {
    try (RawCollector peer = new RawCollector();
        Gatherer builder = ends.builder(target, "b", peer.address())) {
      peer.welcome();
      peer.frame(Frame.Kind.GIVE, 1, 0, 0, "x".repeat(200_000));
      assertThat(peer.read(Control.Denied.class).number()).isEqualTo(1);
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(ends.lines()).allMatch(line -> line.length() < 1_000);
  }

  @Test
  void attemptsToConnectTakeNoMemoryForFrames() throws Exception {
    BufferPoolMXBean direct =
        ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findAny()
            .orElseThrow();
    long before = direct.getMemoryUsed();
    try (Gatherer builder = ends.builder(target, "b", Ends.local(Ends.freePort()))) {
      ends.await("attempt", () -> ends.said("collector is lost"));
      assertThat(direct.getMemoryUsed() - before).isLessThan(Frame.MAX_BYTES);
      assertThat(builder.connected()).isZero();
    }
  }

  private static Control.Has give(RawCollector peer, int number, String group) throws IOException {
    peer.frame(Frame.Kind.GIVE, number, 0, 0, group);
    Control.Has has = peer.read(Control.Has.class);
    assertThat(has.number()).isEqualTo(number);
    return has;
  }
}
