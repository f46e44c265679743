package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.block.BlockName;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.backfill.BackfillSummary;
import org.kblake.ingest.internal.image.LogComparison;
import org.kblake.ingest.internal.live.group.BlockTotals;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.ReadWatch;

/** Another thread merges or evicts a block while this one reads it. This is no damage. */
final class RemovedBlockTest {

  private static final Group GROUP = Group.parse("RF/AnalogData");

  @TempDir Path directory;

  private Archive archive;
  private Path path = Path.of("");

  @BeforeEach
  void makeBlocks() throws Exception {
    archive =
        Archive.open(
            TestStores.sample("mixed", directory.resolve("archive")),
            ArchiveSettings.defaults().withDisorderBoundNanos(TimeUnit.SECONDS.toNanos(1)));
    path = directory.resolve("store");
    TestStores.backfillInThreeSteps(archive, path, new UnforcedFiles());
  }

  @Test
  void blocksAreListedAgain() throws Exception {
    try (Store writer = TestStores.storeForWriting(archive, path)) {
      List<Block> before = writer.blocks(GROUP, problem -> {});
      assertThat(before).hasSizeGreaterThan(1);
      Path seen =
          new GuardedProvider(archive.root(), new Removal(writer, before.get(0))).path(path);
      List<CorruptBlockException> problems = new ArrayList<>();
      try (Store reader = Store.open(seen, null)) {
        assertThat(reader.blocks(GROUP, problems::add)).hasSize(before.size() - 1);
      }
      assertThat(problems).isEmpty();
    }
  }

  /** Removes a block between the listing of its directory and the first read of its files. */
  private record Removal(Store writer, Block block) implements ReadWatch {

    @Override
    public void read(Path real) throws IOException {
      if (real.startsWith(block.directory()) && Files.exists(block.directory())) {
        assertThat(writer.discard(block)).isTrue();
      }
    }

    @Override
    public FileChannel channel(Path real, FileChannel disk) {
      return disk;
    }

    @Override
    public FileStore store(FileStore disk) {
      return disk;
    }
  }

  @Test
  void aBlockIsNotComparedAndTakesNoSpace() throws Exception {
    try (Store writer = TestStores.storeForWriting(archive, path)) {
      Block block = writer.blocks(GROUP, problem -> {}).get(0);
      LogComparison comparison = new LogComparison(archive);
      assertThat(comparison.compare(block).result()).isEqualTo(LogComparison.Result.SAME);
      assertThat(writer.discard(block)).isTrue();
      assertThat(comparison.compare(block).result()).isEqualTo(LogComparison.Result.REMOVED);
      BlockTotals totals = BlockTotals.of(List.of(block), new HashMap<>());
      assertThat(totals.rawBytes()).isEqualTo(block.summary().rawBytes());
      assertThat(totals.storedBytes()).isZero();
    }
  }

  /** A merge of a new block may end in the moment in which the block gets its name. */
  @Test
  void aNewBlockMayBeRemovedAtOnce() throws Exception {
    Path other = directory.resolve("other");
    RemovingFiles files = new RemovingFiles();
    BackfillSummary summary = TestStores.backfill(archive, other, files);
    assertThat(summary.problems()).isZero();
    assertThat(summary.blocks()).isEqualTo(files.removed.get()).isPositive();
  }

  /** Takes each block away as soon as it has its name. */
  private static final class RemovingFiles extends UnforcedFiles {
    private final AtomicInteger removed = new AtomicInteger();

    @Override
    public void rename(Path from, Path to) throws IOException {
      super.rename(from, to);
      if (BlockName.parse(String.valueOf(from.getFileName())).isEmpty()
          && BlockName.parse(String.valueOf(to.getFileName())).isPresent()) {
        super.rename(to, from.resolveSibling("removed-" + removed.getAndIncrement()));
      }
    }
  }
}
