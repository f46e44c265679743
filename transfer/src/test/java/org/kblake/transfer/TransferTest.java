package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.model.Group;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.build.GathererSettings.Limits;
import org.kblake.transfer.collect.BuilderMap;
import org.kblake.transfer.collect.BuilderMap.Entry;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.collect.CollectorSettings.Endpoint;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.FailingPath;
import org.kblake.transfer.fixture.GrowingLogs;
import org.kblake.transfer.fixture.RawBuilder;
import org.kblake.transfer.fixture.Trees;

/** What a builder has is the beginning of what its collectors have, and soon all of it. */
@Timeout(180)
@SuppressWarnings("try") // collectors and builders work while they are open
class TransferTest {

  private static final Group GROUP = new Group("VA", "CCG");
  private static final String LOG = "VA/CCG_20260101000000.log2";
  private static final String INDEX = "VA/CCG_20260101000000.log1";

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path source = Path.of("");
  private Path target = Path.of("");

  @BeforeEach
  void makeRoots() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    target = Files.createDirectory(directory.resolve("target"));
  }

  @Test
  void whatGrowsArrivesWhileItGrows() throws Exception {
    try (GrowingLogs logs = new GrowingLogs(source, 1);
        Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      for (int i = 0; i < 100; i++) {
        logs.grow();
        Trees.requireBeginning(target, source);
      }
      awaitSame();
      assertThat(builder.writtenBytes())
          .isEqualTo(Trees.sizes(source).values().stream().mapToLong(Long::longValue).sum());
      assertThat(Files.readAllLines(target.resolve("SYS/KEKBLog.list")))
          .containsExactlyInAnyOrder("VA CCG", "VA IPump", "BM DCCT");
    }
  }

  @Test
  void nothingIsLostOrDoubledWhenEitherSideEndsOrConnectionsFail() throws Exception {
    Seeds.each("transfer", Seeds.cases(3, 10), this::growAndFail);
  }

  private void growAndFail(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Path from = Files.createDirectory(directory.resolve("from" + seed));
    Path to = Files.createDirectory(directory.resolve("to" + seed));
    int control = Ends.freePort();
    int data = Ends.freePort();
    Endpoint endpoint =
        new Endpoint(Ends.local(control), Ends.local(data), null, (name, token) -> null);
    BuilderMap everything = new BuilderMap(List.of(), Duration.ZERO);
    Collector collector = ends.collector(from, endpoint, everything);
    Gatherer builder = null;
    try (GrowingLogs logs = new GrowingLogs(from, seed);
        FailingPath path = new FailingPath(Ends.local(control), data);
        Growth growth = new Growth(logs)) {
      builder = ends.builder(to, "b", path.address());
      for (int i = 0; i < 20; i++) {
        switch (random.nextInt(5)) {
          case 0 -> path.cut();
          case 1 -> path.damage();
          case 2 -> {
            path.pause(true);
            Thread.sleep(random.nextInt(50));
            path.pause(false);
          }
          case 3 -> {
            builder.close();
            builder = ends.builder(to, "b", path.address());
          }
          default -> {
            collector.close();
            collector = ends.collector(from, endpoint, everything);
          }
        }
        Thread.sleep(random.nextInt(60));
        Trees.requireBeginning(to, from);
      }
      growth.end();
      ends.await("builder has all, seed " + seed, () -> Trees.areSame(from, to));
    } finally {
      collector.close();
      if (builder != null) {
        builder.close();
      }
    }
  }

  /** Grows logs in a thread. */
  private static final class Growth implements AutoCloseable {
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicReference<Exception> failure = new AtomicReference<>();
    private final Thread thread;

    Growth(GrowingLogs logs) {
      thread =
          new Thread(
              () -> {
                try {
                  while (!ended.get()) {
                    logs.grow();
                    Thread.sleep(2);
                  }
                } catch (IOException | InterruptedException e) {
                  failure.set(e);
                }
              });
      thread.start();
    }

    void end() throws Exception {
      ended.set(true);
      thread.join();
      if (failure.get() != null) {
        throw failure.get();
      }
    }

    @Override
    public void close() throws Exception {
      end();
    }
  }

  @Test
  void aLogThatWasBegunAgainIsRefusedAndNotOverwritten() throws Exception {
    write(source, LOG, "the first log");
    write(source, INDEX, "index");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      awaitSame();
      Files.delete(source.resolve(LOG));
      write(source, LOG, "another log, which is longer");
      ends.await("refusal", () -> ends.said("cannot send a group"));
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(target.resolve(LOG)).hasContent("the first log");
    assertThat(ends.lines())
        .anyMatch(
            line ->
                line.contains("group=VA/CCG, the builder has other bytes: file=")
                    && line.contains(LOG)
                    && line.contains("empty both files"));
  }

  @Test
  void aLogThatWasBegunAgainIsRefusedAtAReconnect() throws Exception {
    write(source, LOG, "the first log");
    write(target, LOG, "other log");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      ends.await("refusal", () -> ends.said("cannot send a group"));
      assertThat(builder.writtenBytes()).isZero();
    }
    assertThat(target.resolve(LOG)).hasContent("other log");
  }

  @Test
  void linksAreNotFollowedOnEitherSide() throws Exception {
    write(directory, "secret.log2", "secret");
    Files.createDirectories(source.resolve("VA"));
    Files.createSymbolicLink(source.resolve(LOG), directory.resolve("secret.log2"));
    Files.createDirectory(directory.resolve("outside"));
    write(directory, "outside/DCCT_20260101000000.log2", "outside");
    Files.createSymbolicLink(source.resolve("BM"), directory.resolve("outside"));
    write(source, "VA/IPump_20260101000000.log2", "pumps");
    Files.createSymbolicLink(
        Files.createDirectory(target.resolve("VA")).resolve("IPump_20260101000000.log2"),
        directory.resolve("elsewhere"));
    write(source, "RF/Analog_20260101000000.log2", "analog");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      ends.await("other group", () -> Trees.sizes(target).containsValue(6L));
      ends.await("denial", () -> ends.said("group is not taken"));
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(directory.resolve("elsewhere")).doesNotExist();
    assertThat(Trees.sizes(target)).doesNotContainKey("BM/DCCT_20260101000000.log2");
    assertThat(target.resolve(LOG)).doesNotExist();
  }

  @Test
  void namesOfOtherFormsAreNotGiven() throws Exception {
    write(source, "SYS/List_20260101000000.log2", "lists");
    write(source, ".hidden/CCG_20260101000000.log2", "hidden");
    write(source, "VA/CCG_20261301000000.log2", "month 13");
    write(source, "VA/CCG.txt", "text");
    write(source, "VA/..x_20260101000000.log2", "dots");
    write(source, LOG, "log");
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", collector.address())) {
      ends.await("log", () -> Trees.sizes(target).containsValue(3L));
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(Trees.sizes(target).keySet()).containsExactly(LOG);
  }

  @Test
  void theQuotaHolds() throws Exception {
    write(source, LOG, "x".repeat(100));
    Limits limits = new Limits(List.of(new GroupPattern("*")), 2 * 4096 + 150, 1 << 20, () -> 0);
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", limits, collector.address())) {
      ends.await("log", () -> builder.writtenBytes() == 100);
      Files.writeString(source.resolve(LOG), "y".repeat(100), StandardOpenOption.APPEND);
      ends.await("refusal", () -> ends.said("gather-quota=8342; raise it"));
    }
    assertThat(Files.size(target.resolve(LOG))).isEqualTo(100);
    Limits more = new Limits(List.of(new GroupPattern("*")), 2 * 4096 + 200, 1 << 20, () -> 0);
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", more, collector.address())) {
      awaitSame(LOG);
      assertThat(builder.writtenBytes()).isEqualTo(100);
    }
  }

  @Test
  void onlyGrantedGroupsAreTaken() throws Exception {
    write(source, LOG, "log");
    write(source, "BM/DCCT_20260101000000.log2", "beam");
    Limits limits = new Limits(List.of(new GroupPattern("VA/*")), Long.MAX_VALUE, 1 << 20, () -> 0);
    try (Collector collector = ends.collector(source);
        Gatherer builder = ends.builder(target, "b", limits, collector.address())) {
      ends.await("log", () -> Trees.sizes(target).containsValue(3L));
      ends.await("denial", () -> ends.said("does not grant the group: group=BM/DCCT"));
      assertThat(builder.connected()).isEqualTo(1);
    }
    assertThat(target.resolve("BM")).doesNotExist();
  }

  @Test
  void ofTwoCollectorsWithAGroupOneGivesIt() throws Exception {
    Path second = Files.createDirectory(directory.resolve("second"));
    write(source, LOG, "log");
    write(second, LOG, "log of another");
    try (Collector one = ends.collector(source);
        Collector other = ends.collector(second);
        Gatherer builder = ends.builder(target, "b", one.address(), other.address())) {
      ends.await("denial", () -> ends.said("two collectors have the group: group=VA/CCG"));
      ends.await("log", () -> Trees.sizes(target).containsKey(LOG));
      ends.await("all", () -> Files.size(target.resolve(LOG)) > 0);
      assertThat(builder.connected()).isEqualTo(2);
    }
    assertThat(Files.readString(target.resolve(LOG))).isIn("log", "log of another");
  }

  @Test
  void theGroupsOfALostBuilderGoToAnotherUntilItReturns() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    write(source, LOG, "log");
    BuilderMap map =
        new BuilderMap(
            List.of(Entry.parse("b1=VA/*"), Entry.parse("b2=BM/*")), Duration.ofMillis(200));
    try (Collector collector = ends.collector(source, map);
        Gatherer second = ends.builder(other, "b2", collector.address())) {
      try (Gatherer first = ends.builder(target, "b1", collector.address())) {
        awaitSame(LOG);
        assertThat(first.connected()).isEqualTo(1);
      }
      ends.await("takeover", () -> Trees.sizes(other).getOrDefault(LOG, 0L) == 3);
      assertThat(second.writtenBytes()).isGreaterThanOrEqualTo(3);
      try (Gatherer first = ends.builder(target, "b1", collector.address())) {
        ends.await("return", () -> first.connected() == 1);
        Files.writeString(source.resolve(LOG), " grows", StandardOpenOption.APPEND);
        awaitSame(LOG);
      }
    }
    assertThat(map.gives(GROUP, "b1", builder -> 0)).isTrue();
    assertThat(map.gives(GROUP, "b2", builder -> 0)).isFalse();
  }

  @Test
  void aSlowBuilderHoldsNoOtherUp() throws Exception {
    write(source, LOG, "x".repeat(3_000_000));
    try (Collector collector = ends.collector(source);
        RawBuilder slow = new RawBuilder(collector.address())) {
      // It never grants credit, and reads nothing.
      slow.hello("slow");
      slow.join();
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        awaitSame(LOG);
        assertThat(builder.connected()).isEqualTo(1);
      }
    }
  }

  @Test
  void twoProcessesCannotHaveTheSameName() throws Exception {
    Path other = Files.createDirectory(directory.resolve("other"));
    try (Collector collector = ends.collector(source);
        Gatherer first = ends.builder(target, "b", collector.address())) {
      ends.await("connection", () -> first.connected() == 1);
      try (Gatherer second = ends.builder(other, "b", collector.address())) {
        ends.await("refusal", () -> ends.said("another process with this name is connected"));
        assertThat(second.connected()).isZero();
      }
    }
  }

  @Test
  void aSecondGathererOfARootIsRefused() throws Exception {
    try (Gatherer first = ends.builder(target, "b", Ends.local(Ends.freePort()))) {
      assertThat(first.connected()).isZero();
      assertThatThrownBy(() -> ends.builder(target, "b", Ends.local(Ends.freePort())))
          .hasMessageContaining("another process gathers below this root");
    }
  }

  @Test
  void aPausedPathIsNoticed() throws Exception {
    write(source, LOG, "log");
    int control = Ends.freePort();
    int data = Ends.freePort();
    Endpoint endpoint =
        new Endpoint(Ends.local(control), Ends.local(data), null, (name, token) -> null);
    try (Collector collector =
            ends.collector(source, endpoint, new BuilderMap(List.of(), Duration.ZERO));
        FailingPath path = new FailingPath(collector.address(), data);
        Gatherer builder = ends.builder(target, "b", path.address())) {
      awaitSame(LOG);
      path.pause(true);
      ends.await("loss", () -> ends.said("collector is lost"));
      ends.await("loss", () -> ends.said("builder is lost"));
      path.pause(false);
      Files.writeString(source.resolve(LOG), " grows", StandardOpenOption.APPEND);
      awaitSame(LOG);
      assertThat(builder.writtenBytes()).isGreaterThanOrEqualTo(9);
    }
  }

  private void awaitSame() throws Exception {
    ends.await("the builder has all", () -> Trees.areSame(source, target));
  }

  private void awaitSame(String file) throws Exception {
    ends.await(
        "the builder has all of " + file,
        () ->
            Files.exists(target.resolve(file))
                && Files.mismatch(source.resolve(file), target.resolve(file)) < 0);
  }

  private static void write(Path root, String name, String text) throws IOException {
    Path file = root.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
