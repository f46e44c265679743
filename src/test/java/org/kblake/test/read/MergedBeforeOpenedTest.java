package org.kblake.test.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
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

/** A reader lists blocks, and they are merged before it opens them. None of them is damaged. */
final class MergedBeforeOpenedTest {

  private static final int EVENTS = 3;
  private static final long LATER_SECONDS = 1_800;

  @TempDir private Path directory;

  /** Merges the blocks when a reader opens the first one. */
  private static final class Merge implements ReadWatch {
    private final FollowServiceFixture fixture;
    private final AtomicBoolean done = new AtomicBoolean();

    Merge(FollowServiceFixture fixture) {
      this.fixture = fixture;
    }

    @Override
    public void read(Path real) throws IOException {
      if (real.endsWith("block.kb") && done.compareAndSet(false, true)) {
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
    FollowServiceFixture fixture = new FollowServiceFixture(directory);
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, 0)) {
      fixture.segment(writer, 0, EVENTS);
      fixture.segment(writer, LATER_SECONDS, EVENTS);
    }
    TestStores.closePairs(fixture.root);
    long begin = TimeUnit.SECONDS.toNanos(fixture.begin.getEpochSecond());
    TestStores.backfill(fixture.archive, fixture.storePath, new TimeRange(begin, begin + 1));
    TestStores.backfill(fixture.archive, fixture.storePath);
    assertThat(fixture.blocks(FollowServiceFixture.GROUP)).hasSize(2);
    Merge merge = new Merge(fixture);
    Path seen = new GuardedProvider(directory.resolve("nothing"), merge).path(fixture.storePath);
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
      assertThat(merge.done).isTrue();
      assertThat(count).isEqualTo(2 * (EVENTS + 1L));
      assertThat(events.coverage().notes()).noneMatch(note -> note.contains("damaged"));
    }
    assertThat(fixture.blocks(FollowServiceFixture.GROUP)).hasSize(1);
  }
}
