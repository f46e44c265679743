package org.kblake.test.live.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.kblake.test.fixture.Await.await;

import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.kblake.core.internal.store.block.Block;
import org.kblake.core.internal.store.rollup.RollupWriting;
import org.kblake.core.internal.store.rollup.Rollups;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Counters.Count;
import org.kblake.test.fixture.TestStores;
import org.kblake.test.fixture.service.FollowServiceFixture;
import org.kblake.test.fixture.service.FollowedArchive;

/** A service adds rollups to the blocks of a store that was made before there were any. */
final class FollowServiceRollupsTest extends FollowedArchive {

  private static final Group DCCT = Group.parse("BM/DCCT");

  /** The sample is too small for the usual limits. */
  @AfterEach
  void keepFewRollups() {
    RollupWriting.reset();
  }

  @Test
  void oldBlocksGetRollups() throws Exception {
    TestStores.sample("tiny-be", live.root);
    TestStores.kept("v1/tiny-be", live.root, live.storePath);
    List<Block> before = live.blocks(DCCT);
    List<String> answer = live.answer(DCCT);
    assertThat(before).hasSize(1);
    assertThat(before.get(0).directory().resolve(Rollups.FILE_NAME)).doesNotExist();
    RollupWriting.keep(1);
    var following = live.start(FollowServiceFixture.eager());
    await(
        "the rollups",
        () -> Files.exists(live.blocks(DCCT).get(0).directory().resolve(Rollups.FILE_NAME)));
    // The service uses the new generation, and has removed the old one.
    await(
        "the block in use",
        () ->
            following.groups().stream()
                .anyMatch(group -> group.group().equals(DCCT) && group.blocks() == 1));
    live.stop();
    List<Block> after = live.blocks(DCCT);
    assertThat(after).hasSize(1);
    assertThat(after.get(0).generation()).isEqualTo(before.get(0).generation() + 1);
    assertThat(after.get(0).summary()).isEqualTo(before.get(0).summary());
    assertThat(before.get(0).directory()).doesNotExist();
    assertThat(following.counters().get(Count.MERGED_BLOCKS)).isZero();
    assertThat(live.answer(DCCT)).isEqualTo(answer);
    assertThat(TestStores.verify(live.archive, live.storePath)).isEmpty();
    assertThat(live.problems).isEmpty();
    assertThat(live.discarded).isEmpty();
  }
}
