package org.kblake.test.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.archive.ArchiveSettings;
import org.kblake.core.archive.TailRule;
import org.kblake.core.internal.log.archive.Archive;
import org.kblake.core.internal.log.pair.PairLog;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;

/**
 * A writer has reserved space with zeros, and its index has a milestone that the log does not have
 * yet.
 */
final class UnwrittenSegmentTest {

  @TempDir Path directory;

  @Test
  void aBlockEndsBeforeAnIncompleteSegment() throws Exception {
    FollowServiceFixture live = new FollowServiceFixture(directory);
    Archive archive = Archive.open(live.root, ArchiveSettings.defaults().withTail(TailRule.FINAL));
    try (LogWriter writer = live.pair(GROUP, 0)) {
      for (int second = 0; second < 240; second += 60) {
        live.segment(writer, second, 100);
      }
    }
    PairLog pair = archive.pairs(GROUP).get(0).open();
    Path log = pair.pair().logPath();
    ByteBuffer whole = ByteBuffer.wrap(Files.readAllBytes(log)).order(ByteOrder.LITTLE_ENDIAN);
    long second = pair.milestones().offset(1);
    int written = (int) second;
    for (int event = 0; event < 50; event++) {
      written += whole.getInt(written);
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.seek(written);
      file.write(new byte[whole.limit() - written]);
    }
    TestStores.backfill(archive, live.storePath);
    assertThat(live.blocks(GROUP))
        .extracting(block -> block.summary().rawBytes())
        .containsExactly(second);
    Files.write(log, whole.array());
    TestStores.closePairs(live.root);
    TestStores.backfill(archive, live.storePath);
    List<Block> blocks = live.blocks(GROUP);
    assertThat(blocks.stream().mapToLong(block -> block.summary().rawBytes()).sum())
        .isEqualTo(whole.limit());
    assertThat(live.answer(GROUP)).hasSize(4 * 101);
    assertThat(TestStores.verify(archive, live.storePath)).isEmpty();
  }
}
