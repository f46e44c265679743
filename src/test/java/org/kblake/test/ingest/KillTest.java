package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.test.fixture.BackfillProcess;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;

/**
 * Property 2 of docs/architecture.md: a backfill that is killed at any moment leaves whole blocks,
 * and the next backfill continues.
 */
class KillTest {

  private static final int KILLS = Seeds.cases(6, 16);

  @TempDir Path directory;

  @Test
  void continuesAfterEachKill() throws Exception {
    Path root = TestStores.recording(directory.resolve("archive"));
    Archive archive = Archive.open(root, ArchiveSettings.defaults());
    Path reference = directory.resolve("reference");
    Process whole = BackfillProcess.start(root, reference);
    long begin = System.nanoTime();
    assertThat(whole.waitFor()).isZero();
    long wholeMillis = 1 + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
    long seed = Seeds.one("KillTest");
    SplittableRandom random = new SplittableRandom(seed);
    int kills = 0;
    int stores = 0;
    while (kills < KILLS) {
      Path store = directory.resolve("store-" + stores++);
      boolean done = false;
      while (!done && kills < KILLS) {
        Process process = BackfillProcess.start(root, store);
        // The backfill has begun, so no kill falls into the start of the JVM.
        long life = random.nextLong(wholeMillis);
        done = process.waitFor(life, TimeUnit.MILLISECONDS);
        String where = "seed " + seed + ", kill " + kills + " after " + life + " ms";
        if (done) {
          assertThat(process.exitValue()).as(where).isZero();
        } else {
          process.destroyForcibly().waitFor();
          kills++;
        }
        if (Files.exists(store.resolve("kblake-store.properties"))) {
          assertThat(TestStores.verify(archive, store)).as(where).isEmpty();
        }
      }
      TestStores.backfillInThreeSteps(archive, store, new UnforcedFiles());
      assertThat(TestStores.verify(archive, store)).isEmpty();
      assertThat(events(store)).isEqualTo(events(reference));
      assertThat(unfinished(store)).isZero();
    }
  }

  private static long events(Path storePath) throws IOException {
    long events = 0;
    try (Store store = Store.open(storePath, null)) {
      for (Group group : store.groups()) {
        for (Block block : store.blocks(group, problem -> {})) {
          events += block.summary().events();
        }
      }
    }
    return events;
  }

  private static long unfinished(Path store) throws IOException {
    try (Stream<Path> files = Files.walk(store)) {
      return files.filter(file -> file.getFileName().toString().startsWith("unfinished")).count();
    }
  }
}
