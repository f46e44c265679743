package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.transfer.build.Gatherer;
import org.kblake.transfer.collect.Collector;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.GrowingLogs;
import org.kblake.transfer.fixture.Peer;
import org.kblake.transfer.fixture.RawBuilder;
import org.kblake.transfer.fixture.TestDisk;
import org.kblake.transfer.fixture.TestDisk.Operation;
import org.kblake.transfer.fixture.Trees;
import org.kblake.transfer.line.Line;
import org.kblake.transfer.message.Control;
import org.kblake.transfer.message.ControlCodec;
import org.kblake.transfer.message.Frame;

/** Peers that are paused or slow lose nothing, double nothing, and hold no other one up. */
@Timeout(180)
@SuppressWarnings("try") // collectors and builders work while they are open
class PausedPeersTest {

  private static final String LOG = "VA/CCG_20260101000000.log2";

  /** More than a window and the buffers of a connection. */
  private static final int LOG_BYTES = 40_000_000;

  @TempDir Path directory;

  private final Ends ends = new Ends();
  private Path source = Path.of("");
  private Path target = Path.of("");
  private Path other = Path.of("");

  @BeforeEach
  void makeRoots() throws IOException {
    source = Files.createDirectory(directory.resolve("source"));
    target = Files.createDirectory(directory.resolve("target"));
    other = Files.createDirectory(directory.resolve("other"));
  }

  @Test
  void aStoppedBuilderContinuesAndHoldsNoOtherUp() throws Exception {
    try (GrowingLogs logs = new GrowingLogs(source, 3);
        Collector collector = ends.collector(source);
        Gatherer running = ends.builder(other, "c", collector.address())) {
      grow(logs);
      Process builder = Peer.start("builder", target, collector.address().getPort(), 0);
      try {
        ends.await("all", () -> Trees.areSame(source, target));
        signal("STOP", builder);
        grow(logs);
        ends.await("the other one has all", () -> Trees.areSame(source, other));
        ends.await("loss", () -> ends.said("builder is lost: name=b"));
        grow(logs);
        ends.await("the other one has all", () -> Trees.areSame(source, other));
        Trees.requireBeginning(target, source);
        signal("CONT", builder);
        grow(logs);
        ends.await("all", () -> Trees.areSame(source, target));
        assertThat(running.connected()).isEqualTo(1);
        assertThat(ends.said("builder is lost: name=c")).isFalse();
      } finally {
        builder.destroyForcibly().waitFor();
      }
    }
  }

  @Test
  void aStoppedCollectorContinues() throws Exception {
    int port = Ends.freePort();
    Process collector = Peer.start("collector", source, port, Ends.freePort());
    try (GrowingLogs logs = new GrowingLogs(source, 4);
        Gatherer builder = ends.builder(target, "b", Ends.local(port))) {
      grow(logs);
      ends.await("all", () -> Trees.areSame(source, target));
      signal("STOP", collector);
      grow(logs);
      ends.await("loss", () -> ends.lines().stream().anyMatch(PausedPeersTest::isSilence));
      Trees.requireBeginning(target, source);
      signal("CONT", collector);
      grow(logs);
      ends.await("all", () -> Trees.areSame(source, target));
      assertThat(builder.connected()).isEqualTo(1);
    } finally {
      collector.destroyForcibly().waitFor();
    }
  }

  private static boolean isSilence(String line) {
    return line.contains("collector is lost") && !line.contains("refused");
  }

  private static void signal(String name, Process process) throws Exception {
    Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    assertThat(kill.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(kill.exitValue()).isZero();
  }

  private static void grow(GrowingLogs logs) throws IOException {
    for (int i = 0; i < 60; i++) {
      logs.grow();
    }
  }

  @Test
  void aBuilderThatHasCreditAndDoesNotReadHoldsNoOtherUp() throws Exception {
    writeLog();
    try (Collector collector = ends.collector(source);
        RawBuilder lazy = new RawBuilder(collector.address())) {
      lazy.hello("lazy");
      Line data = lazy.join();
      lazy.send(ControlCodec.encode(new Control.Credit(1L << 40)));
      ByteBuffer header = ByteBuffer.allocate(Frame.HEADER_BYTES);
      data.read(header);
      Frame give = Frame.read(header.flip());
      data.read(ByteBuffer.allocate(give.length()));
      lazy.send(ControlCodec.encode(new Control.Has(give.number(), 0, List.of())));
      AtomicBoolean ended = new AtomicBoolean();
      Thread beats = new Thread(() -> beat(lazy, ended));
      beats.start();
      try (Gatherer builder = ends.builder(target, "b", collector.address())) {
        ends.await("all", () -> Trees.areSame(source, target));
        Thread.sleep(Ends.TIMEOUT.toMillis() * 3 / 2);
        Files.writeString(source.resolve(LOG), "grows", StandardOpenOption.APPEND);
        ends.await("all", () -> Trees.areSame(source, target));
        assertThat(builder.connected()).isEqualTo(1);
      }
      assertThat(ends.said("builder is lost: name=lazy")).isFalse();
      ended.set(true);
      beats.join();
    }
  }

  private static void beat(RawBuilder builder, AtomicBoolean ended) {
    try {
      while (!ended.get()) {
        builder.send(ControlCodec.encode(new Control.Beat(0, 0)));
        Thread.sleep(Ends.TIMEOUT.toMillis() / 4);
      }
    } catch (IOException | InterruptedException e) {
      // The test says that it is lost
    }
  }

  @Test
  void aBuilderWithASlowDiskHoldsNoFastOneUpAndIsNotLost() throws Exception {
    writeLog();
    AtomicInteger writes = new AtomicInteger();
    AtomicBoolean slow = new AtomicBoolean(true);
    TestDisk disk =
        new TestDisk(
            (operation, real) -> {
              if (operation == Operation.WRITE && real.toString().endsWith(".log2")) {
                // The first one is held up for longer than a peer may be silent.
                boolean isFirst = writes.getAndIncrement() == 0;
                sleep(isFirst ? Ends.TIMEOUT.toMillis() * 2 : slow.get() ? 500 : 0);
              }
            });
    try (Collector collector = ends.collector(source);
        Gatherer late = ends.builder(disk.path(other), "slow", collector.address());
        Gatherer fast = ends.builder(target, "fast", collector.address())) {
      ends.await("the fast one has all", () -> Trees.areSame(source, target));
      assertThat(late.writtenBytes()).isLessThan(LOG_BYTES);
      ends.await("the slow one has something", () -> late.writtenBytes() > 0);
      Files.writeString(source.resolve(LOG), "grows", StandardOpenOption.APPEND);
      ends.await("the fast one has all", () -> Trees.areSame(source, target));
      assertThat(late.writtenBytes()).isLessThan(LOG_BYTES);
      ends.await("the slow one is behind", () -> late.status().get(0).behindPairs() == 1);
      ends.await("the fast one is not", () -> fast.status().get(0).behindPairs() == 0);
      slow.set(false);
      ends.await("the slow one has all", () -> Trees.areSame(source, other));
      ends.await("the slow one is not behind", () -> late.status().get(0).behindPairs() == 0);
      assertThat(fast.connected() + late.connected()).isEqualTo(2);
      assertThat(ends.said("is lost")).isFalse();
    }
  }

  private static void sleep(long millis) throws IOException {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private void writeLog() throws IOException {
    Files.createDirectory(source.resolve("VA"));
    Files.write(source.resolve(LOG), new byte[LOG_BYTES]);
  }
}
