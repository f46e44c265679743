package org.kblake.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.GrowingLogs;
import org.kblake.transfer.fixture.Peer;
import org.kblake.transfer.fixture.Trees;

/**
 * Processes are killed at any moment: nothing is lost or doubled. {@code -Dkblake.kills=N} sets the
 * number of kills, {@code -Dkblake.kills.seconds=N} the time after which no more are begun.
 */
@Timeout(900)
class KilledProcessTest {

  private static final int MOST_SECONDS = Integer.getInteger("kblake.kills.seconds", 600);

  @TempDir Path directory;

  @Test
  void killsOfEitherSideLoseAndDoubleNothing() throws Exception {
    int kills = Integer.getInteger("kblake.kills", Seeds.cases(6, 30));
    Seeds.each(
        "killed-transfers",
        1,
        seed -> System.out.println("killed-transfers: kills " + kill(seed, kills)));
  }

  /** Returns how often a process was killed. */
  private int kill(long seed, int kills) throws Exception {
    Path source = Files.createDirectory(directory.resolve("source" + seed));
    Path target = Files.createDirectory(directory.resolve("target" + seed));
    SplittableRandom random = new SplittableRandom(seed);
    int port = Ends.freePort();
    int dataPort = Ends.freePort();
    Process collector = Peer.start("collector", source, port, dataPort);
    Process builder = Peer.start("builder", target, port, dataPort);
    int killed = 0;
    long last = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
    Map<String, Long> compared = new HashMap<>();
    try (GrowingLogs logs = new GrowingLogs(source, seed)) {
      for (; killed < kills && System.nanoTime() < last; killed++) {
        growUntilBytesArrive(logs, target, random.nextInt(100));
        if (random.nextBoolean()) {
          collector.destroyForcibly().waitFor();
          collector = Peer.start("collector", source, port, dataPort);
        } else {
          builder.destroyForcibly().waitFor();
          builder = Peer.start("builder", target, port, dataPort);
        }
        Trees.requireBeginning(target, source, compared);
      }
      new Ends().await("the builder has all", () -> Trees.areSame(source, target));
    } finally {
      collector.destroyForcibly();
      builder.destroyForcibly();
    }
    return killed;
  }

  /** Both have connected again, and may be in the middle of anything. */
  private static void growUntilBytesArrive(GrowingLogs logs, Path target, int more)
      throws Exception {
    long before = bytes(target);
    long end = System.nanoTime() + 120_000_000_000L;
    for (int left = more; left >= 0; left--) {
      logs.grow();
      Thread.sleep(2);
      if (left == 0 && bytes(target) == before) {
        assertThat(System.nanoTime()).isLessThan(end);
        left = 10;
      }
    }
  }

  private static long bytes(Path root) throws IOException {
    return Trees.sizes(root).values().stream().mapToLong(Long::longValue).sum();
  }
}
