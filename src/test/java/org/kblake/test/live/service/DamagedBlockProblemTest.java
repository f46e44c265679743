package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.service.FollowServiceFixture.GROUP;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.log.LogWriter;
import org.kblake.core.model.TimeRange;
import org.kblake.ingest.internal.live.group.GroupWork;
import org.kblake.ingest.internal.live.state.Problems;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;

/** Each damaged block of a group is a problem from its first listing on, until it is gone. */
final class DamagedBlockProblemTest {

  @TempDir private Path directory;

  @Test
  void theProblemIsOverWhenTheBlockIsGone() throws Exception {
    FollowServiceFixture live = new FollowServiceFixture(directory);
    try (LogWriter writer = live.pair(GROUP, 0)) {
      live.segment(writer, 0, 5);
      live.segment(writer, 1_800, 5);
    }
    TestStores.closePairs(live.root);
    long begin = live.archive.pairs(GROUP).get(0).beginNanos();
    TestStores.backfill(live.archive, live.storePath, new TimeRange(begin, begin + 1));
    TestStores.backfill(live.archive, live.storePath);
    List<Block> blocks = live.blocks(GROUP);
    assertThat(blocks).hasSize(2);
    try (GroupWorkFixture fixture =
        new GroupWorkFixture(live, live.archive, live.storePath, GROUP)) {
      GroupWork work = fixture.work;
      Problems problems = fixture.problems;
      Store store = fixture.store;
      work.refresh();
      assertThat(problems.messages()).isEmpty();
      for (Block block : blocks) {
        Files.write(block.directory().resolve("block.kb"), new byte[0]);
      }
      work.refresh();
      assertThat(problems.messages())
          .hasSize(2)
          .allMatch(message -> message.startsWith("block is damaged"));
      assertThat(store.discard(blocks.get(0))).isTrue();
      work.refresh();
      assertThat(problems.messages())
          .singleElement()
          .asString()
          .contains(blocks.get(1).directory().toString());
      assertThat(store.discard(blocks.get(1))).isTrue();
      work.refresh();
      assertThat(problems.messages()).isEmpty();
    }
  }
}
