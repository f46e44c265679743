package org.kblake.transfer;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.transfer.fixture.Ends;
import org.kblake.transfer.fixture.GrowingLogs;
import org.kblake.transfer.fixture.Peer;
import org.kblake.transfer.fixture.Trees;

/** Processes are killed at any moment: nothing is lost or doubled. */
@Timeout(900)
class KilledProcessTest {

  @TempDir Path directory;

  @Test
  void killsOfEitherSideLoseAndDoubleNothing() throws Exception {
    int kills = Integer.getInteger("kblake.kills", Seeds.cases(6, 30));
    Seeds.each("killed-transfers", 1, seed -> kill(seed, kills));
  }

  private void kill(long seed, int kills) throws Exception {
    Path source = Files.createDirectory(directory.resolve("source" + seed));
    Path target = Files.createDirectory(directory.resolve("target" + seed));
    SplittableRandom random = new SplittableRandom(seed);
    int port = freePort();
    int dataPort = freePort();
    Process collector = Peer.start("collector", source, port, dataPort);
    Process builder = Peer.start("builder", target, port, dataPort);
    try (GrowingLogs logs = new GrowingLogs(source, seed)) {
      for (int i = 0; i < kills; i++) {
        long end = System.nanoTime() + random.nextLong(900_000_000L);
        while (System.nanoTime() < end) {
          logs.grow();
          Thread.sleep(1);
        }
        if (random.nextBoolean()) {
          collector.destroyForcibly().waitFor();
          Trees.requireBeginning(target, source);
          collector = Peer.start("collector", source, port, dataPort);
        } else {
          builder.destroyForcibly().waitFor();
          Trees.requireBeginning(target, source);
          builder = Peer.start("builder", target, port, dataPort);
        }
      }
      new Ends().await("the builder has all", () -> Trees.areSame(source, target));
    } finally {
      collector.destroyForcibly();
      builder.destroyForcibly();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
