package org.kblake.test.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.file.StoreFiles;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.backfill.Backfill;
import org.kblake.ingest.internal.backfill.BackfillSettings;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;

/**
 * A disk becomes full at each write of a backfill. The error is that of the disk, even if removing
 * unfinished files also fails. No unfinished file is left.
 */
final class FullDiskBackfillTest {

  private static final String REASON = "No space left on device";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void reportsThatTheDiskIsFull(int threads) throws Exception {
    Archive archive =
        Archive.open(
            TestStores.sample("mixed", directory.resolve("archive")), ArchiveSettings.defaults());
    Filling disk = new Filling(Integer.MAX_VALUE);
    backfill(archive, "whole", disk, threads);
    int writes = disk.writes.get();
    assertThat(writes).isGreaterThan(10);
    for (int k = 0; k < writes; k += 1 + writes / Seeds.cases(8, 25)) {
      String store = "store-" + threads + "-" + k;
      Filling filling = new Filling(k);
      assertThatThrownBy(() -> backfill(archive, store, filling, threads))
          .as("write %s of %s", k, writes)
          .isInstanceOf(IOException.class)
          .hasMessage(REASON);
      try (Stream<Path> files = Files.walk(directory.resolve(store))) {
        assertThat(files.filter(file -> file.toString().contains("unfinished"))).isEmpty();
      }
    }
  }

  private void backfill(Archive archive, String name, StoreFiles disk, int threads)
      throws Exception {
    try (Store store =
        Store.openForWriting(directory.resolve(name), TestStores.identity(archive), disk)) {
      new Backfill(
              archive,
              store,
              new BackfillSettings(
                  List.of(),
                  TimeRange.ALL,
                  threads,
                  BackfillSettings.MIN_MEMORY_BYTES,
                  0,
                  WriteProfile.STANDARD),
              new TestStores.Quiet())
          .run();
    }
  }

  /** A disk with space for a number of writes to blocks. */
  private static final class Filling extends UnforcedFiles {
    private final AtomicInteger writes = new AtomicInteger();

    /** The directories of blocks to which a write did not fit. */
    private final Set<Path> full = ConcurrentHashMap.newKeySet();

    private final int room;

    Filling(int room) {
      this.room = room;
    }

    private void needRoom(Path file) throws IOException {
      if (file.toString().contains("unfinished") && writes.getAndIncrement() >= room) {
        full.add(Objects.requireNonNull(file.getParent()));
        throw new IOException(REASON);
      }
    }

    @Override
    public Output create(Path file) throws IOException {
      needRoom(file);
      return new Filled(file, super.create(file));
    }

    /** A file whose last bytes, which closing it would write, do not fit either. */
    private final class Filled implements Output {
      private final Path file;
      private final Output disk;

      Filled(Path file, Output disk) {
        this.file = file;
        this.disk = disk;
      }

      @Override
      public int write(ByteBuffer source) throws IOException {
        needRoom(file);
        return disk.write(source);
      }

      @Override
      public long size() {
        return disk.size();
      }

      @Override
      public void force() throws IOException {
        disk.force();
      }

      @Override
      public boolean isOpen() {
        return disk.isOpen();
      }

      @Override
      public void close() throws IOException {
        disk.close();
        if (full.contains(Objects.requireNonNull(file.getParent()))) {
          throw new IOException("closing fails: " + file);
        }
      }
    }
  }
}
