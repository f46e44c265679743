package org.kblake.test.read.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.query.ArchiveReader;
import org.kblake.query.EventCursor;
import org.kblake.query.question.ChannelSelection;
import org.kblake.query.question.EventQuery;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.UnforcedFiles;
import org.kblake.test.fixture.service.FollowServiceFixture;

/** Blocks disappear while an answer is read, as a small budget evicts one after the other. */
final class VanishedBlocksTest {

  /** The number of segments. The first block has those of ten minutes, each other block has one. */
  private static final int SEGMENTS = 170;

  private static final int EVENTS = 3;

  @TempDir private Path directory;

  @Test
  void logsReplaceAnyNumberOfEvictedBlocks() throws Exception {
    FollowServiceFixture fixture = new FollowServiceFixture(directory);
    long begin = fixture.begin.getEpochSecond();
    try (LogWriter writer = fixture.pair(FollowServiceFixture.GROUP, 0)) {
      for (int segment = 0; segment < SEGMENTS; segment++) {
        fixture.segment(writer, 10L * segment, EVENTS);
      }
    }
    TestStores.closePairs(fixture.root);
    for (int segment = 0; segment < SEGMENTS; segment++) {
      long from = TimeUnit.SECONDS.toNanos(begin + 10L * segment);
      TestStores.backfill(
          fixture.archive,
          fixture.storePath,
          new TimeRange(from, from + TimeUnit.SECONDS.toNanos(10)));
    }
    List<Block> blocks = fixture.blocks(FollowServiceFixture.GROUP);
    assertThat(blocks)
        .as("an answer that met more than 100 of them failed")
        .hasSizeGreaterThan(100);
    try (ArchiveReader reader =
            ArchiveReader.builder()
                .archive(fixture.root)
                .store(fixture.storePath)
                .settings(fixture.archive.settings())
                .open();
        EventCursor events =
            reader.cursor(
                EventQuery.of(ChannelSelection.all(FollowServiceFixture.GROUP))
                    .between(TimeRange.ALL))) {
      long count = 0;
      while (events.next()) {
        if (count == 0) {
          discard(fixture, blocks);
        }
        count += events.to() - events.from();
      }
      assertThat(count).isEqualTo(SEGMENTS * (EVENTS + 1L));
      assertThat(events.coverage().isComplete()).isTrue();
    }
  }

  private static void discard(FollowServiceFixture fixture, List<Block> blocks) throws Exception {
    try (Store store =
        Store.openForWriting(
            fixture.storePath, TestStores.identity(fixture.archive), new UnforcedFiles())) {
      for (Block block : blocks) {
        store.discard(block);
      }
    }
  }
}
