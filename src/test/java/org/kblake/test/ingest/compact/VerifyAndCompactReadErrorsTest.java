package org.kblake.test.ingest.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.volume.TwoVolumes.FAILING;
import static org.kblake.test.fixture.volume.TwoVolumes.OTHER;
import static org.kblake.test.fixture.volume.TwoVolumes.SEED;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.file.FileAccess;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.Compactor;
import org.kblake.ingest.internal.verify.Verify;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.VerifyFindings;
import org.kblake.test.fixture.volume.FailingReads;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.TwoVolumes;

/**
 * A network volume fails from its k-th read on while blocks are verified and merged. The group on
 * it is reported, and the group of another volume is done.
 */
final class VerifyAndCompactReadErrorsTest {

  @TempDir Path directory;

  private Path storePath = Path.of("");
  private FailingReads volume = new FailingReads(Path.of("/"));
  private Archive archive;

  @BeforeEach
  void writeArchive() throws IOException {
    Path root = TwoVolumes.write(directory);
    volume = new FailingReads(root.resolve(FAILING.system()));
    GuardedProvider provider = new GuardedProvider(root, volume);
    archive =
        Archive.unchecked(
            provider.path(root), TwoVolumes.settings().withSettleNanos(0), FileAccess.WAITING);
  }

  /**
   * Blocks whose log cannot be read are compared with their hashes, and may stay unmerged. Other
   * blocks are verified and merged.
   */
  @Test
  void verifyAndCompactContinue() throws Exception {
    storePath = directory.resolve("store");
    TestStores.backfillInSteps(archive, storePath, 4, new SplittableRandom(SEED));
    volume.failAfter(Long.MAX_VALUE);
    VerifyFindings whole = verify();
    long reads = volume.reads();
    assertThat(reads).isGreaterThan(20);
    int hashes = 0;
    for (long k = 0; k < reads; k++) {
      String where = "seed " + SEED + ", read " + k + " of " + reads;
      volume.failAfter(k);
      VerifyFindings found = verify();
      volume.mend();
      assertThat(found.failures()).as(where).isEmpty();
      assertThat(found.sound()).as(where).hasSize(whole.sound().size());
      hashes = Math.max(hashes, found.notes().size());
    }
    assertThat(hashes).isPositive();
    for (long k = 0; k < 40; k++) {
      compact(k, "seed " + SEED + ", read " + k);
    }
    compact(Long.MAX_VALUE, "at last");
    assertThat(TestStores.verify(archive, storePath)).isEmpty();
  }

  /** Merges blocks. Each time fewer are left, and those of the other group are always merged. */
  private void compact(long k, String where) throws Exception {
    List<String> problems = new ArrayList<>();
    try (Store store =
        Store.openForWriting(storePath, TestStores.identity(archive), new UnforcedFiles())) {
      volume.failAfter(k);
      TwoVolumes.compact(
          archive,
          store,
          new Compactor.Listener() {
            @Override
            public void proved(Group group, long rawBytes) {}

            @Override
            public void committed(
                List<Block> merged, long mergedBytes, Block block, long storedBytes) {}

            @Override
            public void decided(Block before, Block block, long addedBytes, boolean kept) {}

            @Override
            public void problem(Group group, String message) {
              problems.add(message);
            }
          });
      volume.mend();
      assertThat(problems).as(where).allMatch(text -> text.contains("VA")).hasSizeLessThan(2);
      assertThat(store.blocks(OTHER, problem -> {})).as(where).hasSize(1);
    }
  }

  private VerifyFindings verify() throws Exception {
    VerifyFindings found = new VerifyFindings();
    try (Store store = Store.open(storePath, null)) {
      new Verify(
              archive,
              store,
              archive.settings().layouts(),
              BackfillSettings.MIN_MEMORY_BYTES,
              false,
              found)
          .run(List.of(FAILING, OTHER), TimeRange.ALL, 2);
    }
    return found;
  }
}
