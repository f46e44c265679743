package org.kblake.record.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;

/**
 * Recorders in processes of their own, one of which is active. It is killed, or stopped and woken,
 * at random moments. The server's records count up.
 */
class StandbyKillTest {

  private static final String LARGE = String.valueOf(1 << 26);

  /** Less than what a full disk keeps back. */
  private static final String SMALL = String.valueOf(1 << 18);

  /** A standby that was connected for so long has all that the active one lacks. */
  private static final int SEAMLESS_MILLIS = 1500;

  /** So long a full disk lasts at least. */
  private static final int FULL_MILLIS = 3000;

  @TempDir Path root;

  private static void pause(int millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }

  /** {@code -Dkblake.kills=100} kills as often as that. */
  @Test
  void killedAtAnyMomentNothingIsLostOrDoubled() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    int kills = Integer.getInteger("kblake.kills", 6);
    try (StandbyWorld world = new StandbyWorld(root, random, "lock", "RECEPTION", LARGE)) {
      world.start();
      world.start();
      world.start();
      for (int i = 0; i < kills; i++) {
        StandbyProcess killed = world.active();
        pause(300 + random.nextInt(500));
        killed.kill();
        // Another one is connected already, and takes over while this one begins.
        world.start();
      }
      world.active();
      world.end();
      assertThat(world.missing()).as("%s", world.said()).isEmpty();
      // A standby that connected within a shared stamp does not know the number within it.
      assertThat(world.doubles()).as("%s", world.said()).isEmpty();
    }
  }

  @Test
  void stoppedForLongAndWokenItsDoublesAreCounted() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    int stops = Seeds.cases(1, 4);
    try (TestingServer servers = new TestingServer();
        StandbyWorld world =
            new StandbyWorld(root, random, servers.getConnectString(), "RECEPTION", LARGE)) {
      world.start();
      world.start();
      for (int i = 0; i < stops; i++) {
        StandbyProcess stopped = world.active();
        pause(3000 + random.nextInt(500));
        stopped.signal("STOP");
        StandbyProcess other = world.processes().get(1 - world.processes().indexOf(stopped));
        world.await(other::isActive);
        pause(random.nextInt(500));
        stopped.signal("CONT");
        world.await(() -> !stopped.isActive());
      }
      world.end();
      assertThat(world.missing()).as("%s", world.said()).isEmpty();
      // The active one looks at the other's log each second.
      world.await(() -> world.counted() >= world.allDoubles());
      assertThat(world.allDoubles()).as("%s", world.said()).isEqualTo(world.counted());
    }
  }

  private enum Trouble {
    LIST,
    TYPE,
    FULL_DISK
  }

  /** Kills the active recorder in each trouble. */
  private static void trouble(StandbyWorld world, Random random, Trouble... troubles)
      throws Exception {
    world.start();
    world.active();
    world.start();
    List<Trouble> shuffled = Arrays.asList(troubles);
    Collections.shuffle(shuffled, random);
    for (Trouble each : shuffled) {
      StandbyProcess killed = world.active();
      pause(SEAMLESS_MILLIS);
      switch (each) {
        case LIST -> world.changeList();
        case TYPE -> world.changeType();
        case FULL_DISK -> world.fill(true);
      }
      pause(random.nextInt(3000));
      killed.kill();
      pause(random.nextInt(3000) + (each == Trouble.FULL_DISK ? FULL_MILLIS : 0));
      if (each == Trouble.FULL_DISK) {
        world.fill(false);
      }
      world.active();
      world.start();
    }
  }

  @Test
  void killedInTroubleNothingIsLost() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    try (StandbyWorld world = new StandbyWorld(root, random, "lock", "IOC", LARGE)) {
      trouble(world, random, Trouble.values());
      world.end();
      assertThat(world.missing()).as("%s", world.said()).isEmpty();
      assertThat(world.doubles()).as("%s", world.said()).isEmpty();
    }
  }

  @Test
  void killedInTroubleWithLittleMemoryLossesAreStated() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    try (StandbyWorld world = new StandbyWorld(root, random, "lock", "RECEPTION", SMALL)) {
      trouble(world, random, Trouble.FULL_DISK);
      world.end();
      assertThat(world.missing())
          .as("%s", world.said())
          .hasSizeLessThanOrEqualTo((int) world.lost());
      assertThat(world.doubles()).as("%s", world.said()).isEmpty();
    }
  }

  /** Nobody takes over meanwhile. What the other one kept is enough. */
  @Test
  void killedWhileZooKeeperIsAwayNothingIsLost() throws Exception {
    Random random = new Random(Seeds.one("StandbyKillTest"));
    try (TestingServer servers = new TestingServer();
        StandbyWorld world =
            new StandbyWorld(root, random, servers.getConnectString(), "RECEPTION", LARGE)) {
      world.start();
      StandbyProcess killed = world.active();
      world.start();
      pause(3000);
      servers.stop();
      pause(random.nextInt(3000));
      killed.kill();
      pause(random.nextInt(3000));
      servers.restart();
      world.active();
      world.end();
      assertThat(world.missing()).as("%s", world.said()).isEmpty();
      assertThat(world.doubles()).as("%s", world.said()).isEmpty();
    }
  }
}
