package org.kblake.test.ingest.compact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.RollupAddition;
import org.kblake.core.internal.store.file.Pace;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.internal.store.rollup.RollupFile;
import org.kblake.core.internal.store.rollup.RollupWriting;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.ingest.internal.compact.Compaction;
import org.kblake.ingest.internal.compact.CompactionPlan;
import org.kblake.ingest.internal.compact.CompactionSettings;
import org.kblake.ingest.internal.compact.Compactor;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.volume.KilledWriterFiles;
import org.kblake.test.fixture.volume.RecordingFiles;

/**
 * A block that was made without rollups gets them as a new generation. Its other files are the same
 * files. A kill or a power cut at any step leaves the block in use, with or without rollups.
 */
final class RollupAdditionTest {

  private static final Group GROUP = Group.parse("VA/CCG");
  private static final WriteProfile PROFILE = new WriteProfile(Codec.LZ4, false);

  /** A run with the same seeds ends at some of the steps, one with new seeds at each. */
  private static final int STRIDE = Seeds.cases(3, 1);

  private static final int FIRST = STRIDE / 2;

  @TempDir Path directory;

  private Path root = Path.of("");
  private Path store = Path.of("");

  @BeforeEach
  void makeBlocks() throws Exception {
    root = TestStores.sample("mixed", directory.resolve("archive"));
    store = Files.createDirectories(directory.resolve("store"));
  }

  /** Blocks of the sample are too small for the usual limits. */
  @AfterEach
  void keepFewRollups() {
    RollupWriting.reset();
  }

  private Archive archive() throws IOException {
    return Archive.open(root, ArchiveSettings.defaults());
  }

  private static Map<String, Object> files(Path block) throws IOException {
    Map<String, Object> nodes = new TreeMap<>();
    try (Stream<Path> files = Files.list(block)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        nodes.put(file.getFileName().toString(), Files.getAttribute(file, "unix:ino"));
      }
    }
    return nodes;
  }

  private static List<Block> blocks(Path store) throws IOException {
    try (Store opened = Store.open(store, null)) {
      return opened.blocks(GROUP, problem -> {});
    }
  }

  private Block add(Path into, StoreFiles files) throws Exception {
    try (Store opened = Store.openForWriting(into, TestStores.identity(archive()), files)) {
      opened.discardSuperseded(GROUP);
      Block block = opened.blocks(GROUP, problem -> {}).get(0);
      if (!RollupAddition.isWanted(block)) {
        return block;
      }
      return new Compaction(
              opened,
              archive().settings().layouts(),
              new CompactionSettings(1, BackfillSettings.MIN_MEMORY_BYTES, PROFILE, Pace.FREE),
              Compaction.Listener.NONE)
          .addRollups(block, PROFILE);
    }
  }

  @Test
  void newGenerationHasTheSameFilesAndTheRollupsOfABackfill() throws Exception {
    TestStores.backfill(archive(), store);
    Block before = blocks(store).get(0);
    Map<String, Object> files = files(before.directory());
    assertThat(files).doesNotContainKey(Rollups.FILE_NAME);
    RollupWriting.keep(1);
    add(store, new UnforcedFiles());
    Block after = blocks(store).get(0);
    assertThat(after.generation()).isEqualTo(before.generation() + 1);
    assertThat(before.directory()).doesNotExist();
    Map<String, Object> linked = files(after.directory());
    assertThat(linked.remove(Rollups.FILE_NAME)).isNotNull();
    assertThat(linked).isEqualTo(files);
    Path other = directory.resolve("other");
    TestStores.backfill(archive(), other);
    assertThat(after.directory().resolve(Rollups.FILE_NAME))
        .hasSameBinaryContentAs(blocks(other).get(0).directory().resolve(Rollups.FILE_NAME));
    assertThat(TestStores.verify(archive(), store)).isEmpty();
  }

  @Test
  void compactorAddsRollupsOnceAndOnlyWhereTheyAreKept() throws Exception {
    TestStores.backfill(archive(), store);
    int few = compact();
    RollupWriting.keep(1);
    assertThat(few).isZero();
    assertThat(compact()).isPositive();
    for (Block block : blocks(store)) {
      assertThat(block.directory().resolve(Rollups.FILE_NAME)).exists();
    }
    assertThat(compact()).isZero();
    assertThat(TestStores.verify(archive(), store)).isEmpty();
  }

  /**
   * The share has room for a file, and for no row. It is the same whether a backfill or a
   * compaction finds this.
   */
  @Test
  void blockThatKeepsNoneIsReadOnce() throws Exception {
    TestStores.backfill(archive(), store);
    Block block = blocks(store).get(0);
    long bytes = 0;
    for (Path file : block.chunks().files()) {
      bytes += Files.size(file);
    }
    RollupWriting.keep(1, 2_300.0 / bytes);
    assertThat(compact()).isPositive();
    Block decided = blocks(store).get(0);
    assertThat(decided.generation()).isEqualTo(block.generation() + 1);
    assertThat(Files.size(decided.directory().resolve(Rollups.FILE_NAME))).isLessThan(2_048);
    try (RollupFile rollups = RollupFile.open(decided.directory(), decided.checksum())) {
      assertThat(rollups.all()).isEmpty();
    }
    assertThat(compact()).isZero();
    assertThat(TestStores.verify(archive(), store)).isEmpty();
    Path other = directory.resolve("other");
    TestStores.backfill(archive(), other);
    assertThat(decided.directory().resolve(Rollups.FILE_NAME))
        .hasSameBinaryContentAs(blocks(other).get(0).directory().resolve(Rollups.FILE_NAME));
  }

  /** Such a block is reported once, and stays as it is. */
  @Test
  void fileSystemWithoutHardLinksLosesNothing() throws Exception {
    TestStores.backfill(archive(), store);
    int blocks = blocks(store).size();
    RollupWriting.keep(1);
    UnforcedFiles files =
        new UnforcedFiles() {
          @Override
          public void link(Path existing, Path name) throws IOException {
            throw new FileSystemException(name.toString(), null, "Operation not permitted");
          }
        };
    List<String> problems = new ArrayList<>();
    Archive archive = archive();
    try (Store opened = Store.openForWriting(store, TestStores.identity(archive), files)) {
      Compactor compactor = compactor(archive, opened, new Problems(problems));
      assertThat(compactor.step(GROUP, Instant.now())).isFalse();
      assertThat(compactor.step(GROUP, Instant.now())).isFalse();
    }
    assertThat(problems).isNotEmpty().allMatch(each -> each.contains("cannot be linked"));
    assertThat(problems).doesNotHaveDuplicates();
    assertThat(blocks(store)).hasSize(blocks);
    try (Stream<Path> names = Files.list(store.resolve("VA/CCG"))) {
      assertThat(names).hasSize(blocks);
    }
    assertThat(TestStores.verify(archive, store)).isEmpty();
  }

  private static Compactor compactor(Archive archive, Store opened, Compactor.Listener listener)
      throws IOException {
    return new Compactor(
        archive,
        opened,
        new CompactionPlan(archive.settings().zone(), 4),
        new CompactionSettings(1, BackfillSettings.MIN_MEMORY_BYTES, PROFILE, Pace.FREE),
        listener);
  }

  /** Returns the number of blocks that were made. */
  private int compact() throws Exception {
    int made = 0;
    Archive archive = archive();
    List<String> problems = new ArrayList<>();
    try (Store opened = TestStores.storeForWriting(archive, store)) {
      Compactor compactor = compactor(archive, opened, new Problems(problems));
      int planned = compactor.planned(GROUP, Instant.now()).size();
      while (compactor.step(GROUP, Instant.now())) {
        made++;
      }
      assertThat(made).isEqualTo(planned);
    }
    assertThat(problems).isEmpty();
    return made;
  }

  /** Keeps the problems. */
  private record Problems(List<String> problems) implements Compactor.Listener {
    @Override
    public void proved(Group group, long rawBytes) {}

    @Override
    public void committed(List<Block> merged, long mergedBytes, Block block, long storedBytes) {}

    @Override
    public void decided(Block before, Block block, long addedBytes, boolean kept) {}

    @Override
    public void problem(Group group, String message) {
      problems.add(group + ": " + message);
    }
  }

  /** Completes the work of a store that was left, and verifies the result. */
  private void finish(Path left, int blocks, String where) throws Exception {
    assertThat(blocks(left)).as(where).hasSize(blocks);
    assertThat(TestStores.verify(archive(), left)).as(where).isEmpty();
    add(left, new UnforcedFiles());
    List<Block> after = blocks(left);
    assertThat(after).as(where).hasSize(blocks);
    assertThat(after.get(0).directory().resolve(Rollups.FILE_NAME)).as(where).exists();
    try (Stream<Path> names = Files.list(left.resolve("VA/CCG"))) {
      assertThat(names).as(where).hasSize(blocks);
    }
  }

  @Test
  void survivesAKillAtAnyStep() throws Exception {
    TestStores.backfill(archive(), store);
    int blocks = blocks(store).size();
    RollupWriting.keep(1);
    Path whole = TestStores.copy(store, directory.resolve("whole"));
    KilledWriterFiles counting = new KilledWriterFiles(Integer.MAX_VALUE);
    add(whole, counting);
    for (int life = FIRST; life < counting.steps(); life += STRIDE) {
      Path left = TestStores.copy(store, directory.resolve("killed-" + life));
      KilledWriterFiles files = new KilledWriterFiles(life);
      assertThatThrownBy(() -> add(left, files)).hasStackTraceContaining(KilledWriterFiles.KILLED);
      finish(left, blocks, "kill after step " + life);
    }
  }

  @Test
  void survivesAPowerCutAtAnyStep() throws Exception {
    RecordingFiles recording = new RecordingFiles(store);
    TestStores.backfill(archive(), store, recording);
    int blocks = blocks(store).size();
    int begin = recording.steps();
    RollupWriting.keep(1);
    add(store, recording);
    for (int step = begin + FIRST; step <= recording.steps(); step += STRIDE) {
      Path left = directory.resolve("cut-" + step);
      recording.powerCut(step, step % 2 == 0, left);
      finish(left, blocks, "cut after step " + step);
    }
  }
}
