package org.kblake.lake.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.lake.fixture.LakeFixture;
import org.kblake.lake.table.LakeCatalog;
import org.kblake.test.fixture.TestStores;

/** Whatever happens to the store, tables have each event once that was ever published. */
final class ChangingStoreTest {

  @TempDir private Path directory;

  /**
   * The store is lost and made again with other boundaries of blocks, and some blocks are evicted.
   * Blocks and data files then overlap in any way.
   */
  @Test
  void blocksMayOverlapDataFilesInAnyWay() throws Exception {
    Seeds.each(
        "blocksMayOverlapDataFilesInAnyWay",
        Seeds.cases(1, 2),
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          LakeFixture fixture = LakeFixture.inSteps(directory.resolve("overlaps"), seed, 1);
          Map<Group, Set<String>> published = new HashMap<>();
          for (int round = 0; round < 5; round++) {
            remove(fixture.store());
            TestStores.backfillInSteps(
                fixture.archive(), fixture.store(), 1 + random.nextInt(6), random);
            for (int merges = random.nextInt(3); merges > 0; merges--) {
              fixture.mergeAll();
            }
            List<Block> evicted = new ArrayList<>();
            for (Block block : fixture.blocks()) {
              if (random.nextInt(3) == 0) {
                evicted.add(block);
              }
            }
            if (round == 0) {
              evicted.clear(); // without any block there is no table yet
            }
            fixture.discard(evicted);
            fixture.succeed("lake publish tables");
            for (Group group : fixture.groups()) {
              Set<String> all = published.computeIfAbsent(group, each -> new HashSet<>());
              all.addAll(fixture.placedEvents(group, fixture.blocks()));
              assertThat(fixture.rows(group))
                  .as("round %s, %s", round, group)
                  .isEqualTo(LakeFixture.withoutPlaces(all));
            }
            fixture.succeed("lake verify -q tables");
            assertThat(fixture.succeed("lake publish tables")).containsPattern("snapshots +0\n");
          }
        });
  }

  private static void remove(Path tree) throws IOException {
    try (Stream<Path> files = Files.walk(tree)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** Merges remove the parts of a block between their listing and their publication. */
  @Test
  void blocksMayBeMergedWhileTheyArePublished() throws Exception {
    long seed = Seeds.one("blocksMayBeMergedWhileTheyArePublished");
    LakeFixture fixture = LakeFixture.inSteps(directory, seed, 8);
    WatchedPublication publication;
    try (LakeCatalog catalog = fixture.catalog();
        PublishLock lock = PublishLock.take(catalog, null)) {
      publication =
          WatchedPublication.run(
              fixture.store(),
              catalog,
              lock,
              read -> {
                if (read % 4 == 1) {
                  fixture.mergeAll();
                }
              });
    }
    assertThat(publication.problems).isEmpty();
    assertThat(publication.commits).isNotEmpty();
    for (Group group : fixture.groups()) {
      assertThat(fixture.rows(group)).isEqualTo(fixture.events(group));
    }
    fixture.succeed("lake publish tables");
    fixture.succeed("lake verify -q tables");
  }
}
