package org.kblake.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.kblake.core.internal.log.pair.Pair;
import org.kblake.core.internal.log.write.LogWriter;
import org.kblake.core.internal.store.Store;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.query.question.Source;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.volume.GuardedProvider;
import org.kblake.test.fixture.volume.ReadWatch;
import org.kblake.test.live.FollowServiceFixture;

/** A reader lists blocks, and they are merged while it opens and reads them. None is damaged. */
final class MergedBeforeOpenedTest {

  private static final int EVENTS = 3;
  private static final long LATER_SECONDS = 1_800;

  /** More than the reads of the store that an answer makes. */
  private static final int READS = 60;

  @TempDir private Path directory;

  /** Merges the blocks before a certain read of a file. */
  private static final class Merge implements ReadWatch {
    private final FollowServiceFixture fixture;
    private final String file;
    private final AtomicInteger before;
    private final AtomicBoolean done = new AtomicBoolean();

    /**
     * @param file the end of the file's name
     * @param before the number of its reads before the merge
     */
    Merge(FollowServiceFixture fixture, String file, int before) {
      this.fixture = fixture;
      this.file = file;
      this.before = new AtomicInteger(before);
    }

    @Override
    public void read(Path real) throws IOException {
      if (real.toString().endsWith(file)
          && before.getAndDecrement() <= 0
          && done.compareAndSet(false, true)) {
        try (Store store = TestStores.storeForWriting(fixture.archive, fixture.storePath)) {
          TestStores.compact(
              fixture.archive, store, store.blocks(FollowServiceFixture.GROUP, problem -> {}));
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
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

  @ParameterizedTest
  @EnumSource(names = {"AUTO", "STORE"})
  void mergedBlockIsRead(Source source) throws Exception {
    FollowServiceFixture fixture = twoBlocks(directory);
    assertThat(isReadWhole(fixture, source, new Merge(fixture, "block.kb", 0))).isTrue();
  }

  /** No log stands for the blocks, so a plan that has a removed block has to be made again. */
  @ParameterizedTest
  @EnumSource(names = {"AUTO", "STORE"})
  void blocksMayBeMergedAtAnyReadIfTheirLogIsMissing(Source source) throws Exception {
    int read = 0;
    for (boolean merged = true; merged; read++) {
      Path place = Files.createDirectory(directory.resolve("read" + read));
      FollowServiceFixture fixture = twoBlocks(place);
      for (Pair pair : fixture.archive.pairs(FollowServiceFixture.GROUP)) {
        Files.delete(pair.logPath());
      }
      merged = isReadWhole(fixture, source, new Merge(fixture, "", read));
    }
    assertThat(read).isBetween(10, READS);
  }

  private static FollowServiceFixture twoBlocks(Path place) throws Exception {
    FollowServiceFixture fixture = new FollowServiceFixture(place);
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, 0)) {
      fixture.segment(writer, 0, EVENTS);
      fixture.segment(writer, LATER_SECONDS, EVENTS);
    }
    TestStores.closePairs(fixture.root);
    long begin = TimeUnit.SECONDS.toNanos(fixture.begin.getEpochSecond());
    TestStores.backfill(fixture.archive, fixture.storePath, new TimeRange(begin, begin + 1));
    TestStores.backfill(fixture.archive, fixture.storePath);
    assertThat(fixture.blocks(FollowServiceFixture.GROUP)).hasSize(2);
    return fixture;
  }

  /** Reads all events of the blocks. Returns whether they were merged meanwhile. */
  private static boolean isReadWhole(FollowServiceFixture fixture, Source source, Merge merge)
      throws IOException {
    Path seen = new GuardedProvider(fixture.root.resolve("nothing"), merge).path(fixture.storePath);
    try (ArchiveReader reader =
            ArchiveReader.builder()
                .archive(fixture.root)
                .store(seen)
                .settings(fixture.archive.settings())
                .open();
        EventCursor events =
            reader.cursor(
                EventQuery.of(ChannelSelection.all(FollowServiceFixture.GROUP))
                    .between(TimeRange.ALL)
                    .from(source)
                    .allowIncomplete())) {
      long count = 0;
      while (events.next()) {
        count += events.to() - events.from();
      }
      String when = source + ", merged " + merge.done + " at " + merge.before;
      assertThat(count).as(when).isEqualTo(2 * (EVENTS + 1L));
      assertThat(events.coverage().notes())
          .as(when)
          .noneMatch(note -> note.contains("damaged") || note.contains("no file"));
      assertThat(fixture.blocks(FollowServiceFixture.GROUP)).hasSize(merge.done.get() ? 1 : 2);
    }
    return merge.done.get();
  }
}
