package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.test.fixture.Await;
import org.kblake.test.fixture.TestStores;

/** {@code kblake lake follow} publishes what a writer of the store seals and merges. */
final class LakeFollowTest {

  @TempDir private Path directory;

  @Test
  void blocksArePublishedAsTheyAreSealedMergedAndEvicted() throws Exception {
    long seed = Seeds.one("blocksArePublishedAsTheyAreSealedMergedAndEvicted");
    LakeFixture fixture = LakeFixture.small(directory, seed);
    TestStores.backfill(fixture.archive(), fixture.store(), new TimeRange(0, 1));
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<KblakeRun> following =
          thread.submit(() -> fixture.run("lake", "follow", "tables", "--every", "0.1s"));
      TestStores.backfillInSteps(fixture.archive(), fixture.store(), 4, new SplittableRandom(seed));
      List<Block> sealed = fixture.blocks();
      awaitVerified(fixture, following);
      fixture.mergeAll();
      awaitVerified(fixture, following);
      fixture.discard(fixture.blocks());
      for (Group group : fixture.groups()) {
        assertThat(fixture.rows(group)).isEqualTo(fixture.events(group, sealed));
      }
      thread.shutdownNow();
      KblakeRun run = following.get();
      assertThat(run.status()).isEqualTo(130);
      assertThat(run.out()).isEmpty();
      // Iceberg's locks are those of the JVM, and the end of a verification closes them.
      assertThat(run.err().lines().filter(line -> !line.contains("Cannot find lock for entity")))
          .startsWith("settings: no file")
          .filteredOn(line -> !line.startsWith("settings: "))
          .allMatch(line -> line.contains(": data files added="));
    } finally {
      thread.shutdownNow();
    }
  }

  /** Waits until the tables have everything that the store has. */
  private static void awaitVerified(LakeFixture fixture, Future<?> following) throws Exception {
    Await.await(
        "tables as the store",
        () -> {
          assertThat(following.isDone()).isFalse();
          KblakeRun run = fixture.run("lake", "verify", "tables");
          return run.status() == 0 && run.out().matches("(?s).*not published +0\n.*");
        });
  }
}
