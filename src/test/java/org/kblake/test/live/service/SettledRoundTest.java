package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.log.LogWriter;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.volume.CountedReads;
import org.kblake.test.fixture.volume.GuardedProvider;

/**
 * The reads of a poll of a group in which nothing has changed. A poll takes place every second for
 * years, so its reads must not grow with the number of older pairs.
 */
final class SettledRoundTest {

  private static final int SEGMENTS = 3;
  private static final int LOOKS = 10;

  /** The directory is listed again after two seconds and after a minute, in a round each. */
  private static final int ROUNDS = 3;

  @TempDir private Path directory;

  @Test
  void readsDoNotGrowWithTheNumberOfPairs() throws Exception {
    List<Long> counts = new ArrayList<>();
    for (int pairs : List.of(4, 8, 16)) {
      counts.add(operationsOfLooks(pairs));
    }
    assertThat(counts.get(0)).as("operations of %d polls", LOOKS).isBetween((long) LOOKS, 100L);
    assertThat(counts).containsOnly(counts.get(0));
  }

  private long operationsOfLooks(int pairs) throws Exception {
    Path place = Files.createDirectory(directory.resolve("pairs" + pairs));
    FollowServiceFixture live = new FollowServiceFixture(place);
    for (int pair = 0; pair < pairs; pair++) {
      try (LogWriter writer = live.pair(GROUP, 60L * pair)) {
        for (int segment = 0; segment < SEGMENTS; segment++) {
          live.segment(writer, 60L * pair + 10L * segment, 5);
        }
      }
    }
    TestStores.closePairs(live.root);
    TestStores.backfill(live.archive, live.storePath);
    CountedReads reads = new CountedReads();
    Path seen = new GuardedProvider(live.root, reads).path(place);
    Archive archive = Archive.open(seen.resolve("archive"), live.archive.settings());
    try (GroupWorkFixture fixture =
        new GroupWorkFixture(live, archive, seen.resolve("store"), GROUP)) {
      GroupWork work = fixture.work;
      await("a poll without work", () -> isSettled(work));
      assertThat(work.state().pendingBytes()).isZero();
      long fewest = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) {
        long before = reads.operations();
        for (int look = 0; look < LOOKS; look++) {
          assertThat(work.poll()).isFalse();
        }
        fewest = Math.min(fewest, reads.operations() - before);
      }
      return fewest;
    }
  }

  /** Does the work that is due. Returns whether there was none. */
  private static boolean isSettled(GroupWork work) throws Exception {
    if (!work.poll()) {
      return true;
    }
    work.run();
    return false;
  }
}
