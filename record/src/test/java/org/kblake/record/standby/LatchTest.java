package org.kblake.record.standby;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.process.ThisProcess;
import org.kblake.cli.standby.Latch;
import org.kblake.cli.standby.LatchProvider;

class LatchTest {

  private static final Duration SESSION = Duration.ofSeconds(4);

  private final List<String> notices = new CopyOnWriteArrayList<>();

  @TempDir Path directory;

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  private Latch connect(TestingServer server) {
    return connect(server, ZooKeeperLatch.SILENCE);
  }

  private Latch connect(TestingServer server, Duration silence) {
    return ZooKeeperLatch.connect(server.getConnectString(), "VA", SESSION, silence, notices::add);
  }

  @Test
  void aLockOfAFileIsHeldByOne() throws Exception {
    Path file = directory.resolve("lock");
    try (Latch second = new FileLatch(file, notices::add)) {
      try (Latch first = new FileLatch(file, notices::add)) {
        assertThat(first.isHeld()).isTrue();
        assertThat(first.mayWrite()).isTrue();
        assertThat(second.isHeld()).isFalse();
      }
      await(second::isHeld);
      assertThat(second.mayWrite()).isTrue();
    }
    assertThat(notices).isEmpty();
  }

  /** A directory that is away must not end a process that stands by. */
  @Test
  void aFileThatCannotBeLockedIsTriedAgain() throws Exception {
    Path away = directory.resolve("away");
    try (Latch latch = new FileLatch(away.resolve("lock"), notices::add)) {
      assertThat(latch.isHeld()).isFalse();
      assertThat(notices).hasSize(1);
      assertThat(away.toFile().mkdir()).isTrue();
      await(latch::isHeld);
    }
  }

  /** A disk that does not answer keeps no process from its end. */
  @Test
  void theEndDoesNotWaitForTheDisk() throws Exception {
    Path pipe = directory.resolve("lock");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Latch latch = new FileLatch(pipe, notices::add);
    Thread asks = start(latch::isHeld);
    await(
        () ->
            Arrays.stream(asks.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("open")));
    Thread ends =
        start(
            () -> {
              assertThat(latch.isHeld()).isFalse();
              latch.close();
            });
    ends.join(TimeUnit.SECONDS.toMillis(60));
    assertThat(ends.isAlive()).isFalse();
    assertThat(asks.isAlive()).isTrue();
    try (FileChannel answers = FileChannel.open(pipe, StandardOpenOption.READ)) {
      asks.join(TimeUnit.SECONDS.toMillis(60));
      assertThat(answers.isOpen()).isTrue();
    }
    assertThat(latch.isHeld()).isFalse();
  }

  private static Thread start(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  @Test
  void acrossHostsOneLeadsAndAnotherFollows() throws Exception {
    try (TestingServer server = new TestingServer()) {
      Latch second;
      try (Latch first = connect(server)) {
        await(first::mayWrite);
        second = connect(server);
        await(() -> notices.stream().anyMatch(line -> line.startsWith("another process leads")));
        String here = ThisProcess.pid() + "@" + ThisProcess.host() + "/";
        assertThat(notices).anyMatch(line -> line.contains("leads: " + here));
        assertThat(second.isHeld()).isFalse();
        assertThat(first.mayWrite()).isTrue();
      }
      try (second) {
        await(second::mayWrite);
      }
    }
  }

  /** Without ZooKeeper who leads goes on, and one that looks for no other signs does not begin. */
  @Test
  void nothingChangesWhileZooKeeperIsAway() throws Exception {
    try (TestingServer server = new TestingServer();
        Latch first = connect(server)) {
      await(first::mayWrite);
      try (Latch second = connect(server)) {
        await(() -> notices.stream().anyMatch(line -> line.startsWith("another process leads")));
        server.stop();
        await(() -> notices.stream().filter(line -> line.contains("not answer")).count() >= 2);
        long end = System.nanoTime() + 2 * SESSION.toNanos();
        await(() -> System.nanoTime() > end && first.mayWrite());
        assertThat(first.isHeld()).isTrue();
        assertThat(second.isHeld()).isFalse();
        server.restart();
        await(() -> notices.get(notices.size() - 1).contains("lead"));
        assertThat(first.isHeld()).isNotEqualTo(second.isHeld());
      }
    }
  }

  /** Its disk may not answer, and that of another host may. */
  @Test
  void oneThatCannotWorkLetsAnotherOneLead() throws Exception {
    try (TestingServer server = new TestingServer();
        Latch first = connect(server)) {
      await(first::mayWrite);
      first.setAble(false);
      await(() -> first.isConfirmed()); // there is no other one
      try (Latch second = connect(server)) {
        await(second::isConfirmed);
        assertThat(first.isHeld()).isFalse();
        second.setAble(false);
        assertThat(first.isHeld()).isFalse();
        first.setAble(true);
        await(first::isConfirmed);
        second.setAble(true);
      }
      assertThat(first.isConfirmed()).isTrue();
    }
  }

  /** A recorder that is restarted while ZooKeeper is away must not wait for it for ever. */
  @Test
  void withoutZooKeeperOneBeginsWhenNoOtherOneWorks() throws Exception {
    try (TestingServer server = new TestingServer()) {
      server.stop();
      try (Latch latch = connect(server, Duration.ofSeconds(3));
          Latch ofAnotherKind = connect(server, Duration.ofSeconds(3))) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(8);
        await(
            () -> {
              latch.anotherWorks();
              return System.nanoTime() - end > 0;
            });
        assertThat(latch.isHeld()).isFalse();
        await(latch::mayBegin);
        assertThat(latch.isConfirmed()).isFalse();
        latch.anotherWorks();
        assertThat(latch.isHeld()).isFalse();
        await(latch::mayBegin);
        // It does not look for signs of others.
        assertThat(ofAnotherKind.isHeld()).isFalse();
        server.restart();
        await(() -> latch.isConfirmed() || ofAnotherKind.isConfirmed());
        await(() -> latch.isHeld() != ofAnotherKind.isHeld());
      }
    }
  }

  @Test
  void theLibraryIsFoundByItsService() throws Exception {
    try (TestingServer server = new TestingServer();
        Latch latch = LatchProvider.acrossHosts(server.getConnectString(), "x", notices::add)) {
      await(latch::mayWrite);
    }
  }
}
