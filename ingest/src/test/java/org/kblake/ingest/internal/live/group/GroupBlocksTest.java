package org.kblake.ingest.internal.live.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.Store;
import org.kblake.core.internal.store.StoreIdentity;
import org.kblake.core.model.Group;
import org.kblake.ingest.internal.live.state.Counters;
import org.kblake.ingest.internal.live.state.EvictedSpans;
import org.kblake.ingest.internal.live.state.FollowListener;
import org.kblake.ingest.internal.live.state.Problems;

final class GroupBlocksTest {

  private static final int MARKS = 2_000;

  @TempDir private Path directory;

  /** Another thread merges blocks and sets the mark while this one takes it. */
  @Test
  void noMarkIsLost() throws Exception {
    StoreIdentity identity =
        StoreIdentity.of(
            directory.resolve("archive"), "Asia/Tokyo", 600_000_000_000L, "kekblog", "standard");
    try (Store store = Store.openForWriting(directory.resolve("store"), identity)) {
      GroupBlocks blocks =
          new GroupBlocks(
              store,
              new EvictedSpans(store.directory()),
              new Problems(FollowListener.NONE, new Counters()),
              new Group("VA", "CCG"));
      assertThat(blocks.takeStale()).isTrue();
      blocks.list();
      assertThat(blocks.takeStale()).isFalse();
      CompletableFuture<Void> marks =
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < MARKS; i++) {
                  blocks.setStale();
                  while (blocks.isStale()) {
                    Thread.onSpinWait();
                  }
                }
              });
      int taken = 0;
      while (!marks.isDone()) {
        if (blocks.takeStale()) {
          taken++;
        } else {
          Thread.onSpinWait();
        }
      }
      marks.join();
      assertThat(taken).isEqualTo(MARKS);
    }
  }
}
