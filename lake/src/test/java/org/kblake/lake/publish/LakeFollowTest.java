package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.cli.KblakeRun;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.pair.Pair;
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
      KblakeRun run = LakeFixture.stop(thread, following);
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

  /** Nothing is to be published meanwhile. Only the copy in the mirror shows it. */
  @Test
  void aLogThatIsShorterThanItsCopyIsReportedOnce() throws Exception {
    LakeFixture fixture = withSeveralLogs(Seeds.one("aLogThatIsShorterThanItsCopyIsReportedOnce"));
    fixture.backfill("");
    List<Path> logs = new ArrayList<>();
    for (Pair pair : pairs(fixture)) {
      TestStores.mirror(fixture.store(), directory.resolve("mirror"), pair);
      logs.add(pair.logPath());
    }
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<KblakeRun> following =
          thread.submit(
              () -> fixture.runReporting(err, "lake", "follow", "tables", "--every", "0.1s"));
      awaitVerified(fixture, following);
      assertThat(err.toString(StandardCharsets.UTF_8)).doesNotContain("shorter");
      // The line on the second log is of a later round than that on the first one.
      for (Path log : logs.subList(0, 2)) {
        cut(log);
        Await.await(
            "the line on " + log,
            () -> {
              assertThat(following.isDone()).isFalse();
              return err.toString(StandardCharsets.UTF_8).contains(said(log));
            });
      }
      KblakeRun run = LakeFixture.stop(thread, following);
      assertThat(run.status()).isEqualTo(130);
      for (Path log : logs.subList(0, 2)) {
        assertThat(run.err().lines().filter(line -> line.contains(said(log)))).hasSize(1);
      }
    } finally {
      thread.shutdownNow();
    }
  }

  /** Returns an archive of the first seed whose archive has two logs with events. */
  private LakeFixture withSeveralLogs(long seed) throws IOException {
    for (long next = seed; ; next++) {
      LakeFixture fixture = LakeFixture.small(directory.resolve("seed" + next), next);
      if (pairs(fixture).size() > 1) {
        return fixture;
      }
    }
  }

  private static List<Pair> pairs(LakeFixture fixture) throws IOException {
    List<Pair> pairs = new ArrayList<>();
    for (Pair pair : fixture.archive().pairs(fixture.groups().get(0))) {
      if (Files.size(pair.logPath()) > 0) {
        pairs.add(pair);
      }
    }
    return pairs;
  }

  private static void cut(Path log) throws IOException {
    FileTime modified = Files.getLastModifiedTime(log);
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 1);
    }
    Files.setLastModifiedTime(log, modified);
  }

  private static String said(Path log) {
    return "log is shorter than its copy in the mirror: file=" + log;
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
