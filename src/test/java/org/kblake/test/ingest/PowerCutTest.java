package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.volume.RecordingFiles;

/**
 * Property 2 of docs/architecture.md: after a power cut at any moment no incomplete block is
 * visible, and no event is lost.
 */
class PowerCutTest {

  private static final long SEED = 20261120;
  private static final int POWER_CUTS = Seeds.cases(10, 30);

  @TempDir Path directory;

  @Test
  void leavesWholeBlocksOnlyAndContinues() throws Exception {
    Path root = TestStores.sample("mixed", directory.resolve("archive"));
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path storePath = Files.createDirectories(directory.resolve("store"));
    RecordingFiles recording = new RecordingFiles(storePath);
    TestStores.backfillInThreeSteps(archive, storePath, recording);
    SortedSet<String> complete = blockNames(storePath);
    assertThat(complete).hasSizeGreaterThan(2);

    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < POWER_CUTS; i++) {
      int steps = random.nextInt(recording.steps() + 1);
      boolean namesLast = random.nextBoolean();
      Path left = directory.resolve("left-" + i);
      recording.powerCut(steps, namesLast, left);
      String where = "seed " + SEED + ", cut " + i + " after step " + steps;
      assertThat(complete).as(where).containsAll(soundBlocks(archive, left, where));
      TestStores.backfillInThreeSteps(archive, left, new UnforcedFiles());
      assertThat(soundBlocks(archive, left, where)).as(where).isEqualTo(complete);
    }
  }

  private static SortedSet<String> soundBlocks(Archive archive, Path store, String where)
      throws Exception {
    if (Files.exists(store.resolve("kblake-store.properties"))) {
      assertThat(TestStores.verify(archive, store)).as(where).isEmpty();
      return blockNames(store);
    }
    return new TreeSet<>();
  }

  private static SortedSet<String> blockNames(Path storePath) throws IOException {
    SortedSet<String> names = new TreeSet<>();
    try (Store store = Store.open(storePath, null)) {
      for (Group group : store.groups()) {
        for (Block block : store.blocks(group, problem -> names.add("damaged " + problem))) {
          names.add(group + "/" + block.directory().getFileName());
        }
      }
    }
    return names;
  }
}
