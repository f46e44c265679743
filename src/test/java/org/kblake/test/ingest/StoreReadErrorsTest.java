package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.volume.TwoVolumes.FAILING;
import static org.kblake.test.fixture.volume.TwoVolumes.OTHER;
import static org.kblake.test.fixture.volume.TwoVolumes.SEED;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.model.Group;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.Compactor;
import org.kblake.ingest.internal.verify.Restore;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.volume.FailingReads;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.TwoVolumes;

/**
 * The store's disk fails from its k-th read on, for every k, below the directory of one group. The
 * problem is reported for this group, and the work is done for the other one.
 */
final class StoreReadErrorsTest {

  @TempDir Path directory;

  private Archive archive;
  private Path begun = Path.of("");

  @BeforeEach
  void writeArchive() throws IOException {
    archive = Archive.open(TwoVolumes.write(directory), TwoVolumes.settings());
    begun = directory.resolve("begun");
  }

  /** An operation on a store. */
  private interface Work {
    void of(Store store, RecordingListener listener) throws Exception;
  }

  @Test
  void backfillContinues() throws Exception {
    // The later segments of the one group, the first ones of the other.
    PairLog other = archive.pairs(OTHER).get(0).open();
    PairLog failing = archive.pairs(FAILING).get(0).open();
    TestStores.backfill(
        archive, begun, new TimeRange(other.milestones().nanos(2), failing.milestones().nanos(2)));
    assertOtherGroupIsDone(
        (store, listener) ->
            new Backfill(
                    archive,
                    store,
                    new BackfillSettings(
                        List.of(FAILING, OTHER),
                        TimeRange.ALL,
                        1,
                        BackfillSettings.MIN_MEMORY_BYTES,
                        0,
                        WriteProfile.STANDARD),
                    listener)
                .run());
  }

  @Test
  void compactContinues() throws Exception {
    TestStores.backfillInSteps(archive, begun, 4, new SplittableRandom(SEED));
    assertOtherGroupIsDone((store, listener) -> TwoVolumes.compact(archive, store, listener));
  }

  private void assertOtherGroupIsDone(Work work) throws Exception {
    List<String> before = blocks(begun, OTHER);
    Path whole = TestStores.copy(begun, directory.resolve("whole"));
    FailingReads disk = new FailingReads(whole.resolve(FAILING.toString()));
    disk.failAfter(Long.MAX_VALUE);
    assertThat(run(whole, disk, work)).isEmpty();
    long reads = disk.reads();
    assertThat(reads).isGreaterThan(20);
    List<String> done = blocks(whole, OTHER);
    assertThat(done).isNotEqualTo(before);
    // Tries each of the first reads, which list and open blocks, and fewer of the later ones.
    for (long k = 0; k < reads; k += 1 + Math.max(0, k - 5) / 2) {
      String where = "read " + k + " of " + reads;
      Path store = TestStores.copy(begun, directory.resolve("store-" + k));
      FailingReads failing = new FailingReads(store.resolve(FAILING.toString()));
      failing.failAfter(k);
      assertThat(run(store, failing, work))
          .as(where)
          .isNotEmpty()
          .allMatch(text -> text.contains("blocks cannot be read: "));
      assertThat(blocks(store, OTHER)).as(where).isEqualTo(done);
      failing.mend();
      assertThat(run(store, failing, work)).as(where).isEmpty();
      assertThat(blocks(store, FAILING)).as(where).isEqualTo(blocks(whole, FAILING));
      assertThat(TestStores.verify(archive, store)).as(where).isEmpty();
    }
  }

  /** Runs the work on a disk that may fail on reads, but not on writes. */
  private List<String> run(Path store, FailingReads disk, Work work) throws Exception {
    Path seen = new GuardedProvider(directory.resolve("nothing"), disk).path(store);
    RecordingListener listener = new RecordingListener();
    try (Store opened =
        Store.openForWriting(seen, TestStores.identity(archive), new WrittenFiles())) {
      work.of(opened, listener);
    }
    return listener.problems;
  }

  /** Returns the blocks in use, with their coverage. */
  private static List<String> blocks(Path path, Group group) throws IOException {
    try (Store store = Store.open(path, null)) {
      return store.blocks(group, problem -> {}).stream()
          .map(block -> block.summary().toString())
          .toList();
    }
  }

  @Test
  void restoreContinues() throws Exception {
    TestStores.backfill(archive, begun);
    FailingReads disk = new FailingReads(begun.resolve(FAILING.system()));
    Path seen = new GuardedProvider(begun, disk).path(begun);
    disk.failAfter(Long.MAX_VALUE);
    int pairs = restore(seen, "whole");
    long reads = disk.reads();
    assertThat(reads).isGreaterThan(20);
    assertThat(pairs).isPositive();
    for (long k = 0; k < reads; k++) {
      disk.failAfter(k);
      assertThat(restore(seen, "into-" + k)).isLessThan(pairs);
      try (Stream<Path> files = Files.walk(directory.resolve("into-" + k))) {
        assertThat(files.filter(file -> file.toString().contains("unfinished"))).isEmpty();
      }
    }
    disk.mend();
    assertThat(restore(seen, "mended")).isEqualTo(pairs);
  }

  /**
   * Restores both groups.
   *
   * @return restored pairs of the group whose disk may fail
   */
  private int restore(Path seen, String into) throws Exception {
    try (Store store = Store.open(seen, null)) {
      Restore restore =
          new Restore(store, archive.settings().layouts(), BackfillSettings.MIN_MEMORY_BYTES);
      Restore.Result failing = restore.run(FAILING, directory.resolve(into), bytes -> {});
      Restore.Result other = restore.run(OTHER, directory.resolve(into), bytes -> {});
      assertThat(other.refused()).as(into).isEmpty();
      assertThat(failing.restored().size() + failing.refused().size()).as(into).isPositive();
      return failing.restored().size();
    }
  }

  /** A disk whose paths belong to a provider. It is written directly. */
  private static final class WrittenFiles extends UnforcedFiles {

    private static Path real(Path path) {
      return Path.of(path.toString());
    }

    @Override
    public Output create(Path file) throws IOException {
      return super.create(real(file));
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
      super.createDirectories(real(directory));
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      super.rename(real(from), real(to));
    }

    @Override
    public void delete(Path path) throws IOException {
      super.delete(real(path));
    }
  }

  /** Records problems of the failing group; the other group has none. */
  private static final class RecordingListener extends TestStores.Quiet
      implements Compactor.Listener {
    private final List<String> problems = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void committed(List<Block> merged, long mergedBytes, Block block, long storedBytes) {}

    @Override
    public void decided(Block before, Block block, long addedBytes, boolean kept) {}

    @Override
    public void proved(Group group, long rawBytes) {}

    @Override
    public void problem(Group group, String message) {
      assertThat(group).as(message).isEqualTo(FAILING);
      problems.add(message);
    }
  }
}
