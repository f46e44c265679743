package org.kblake.ingest.internal.live.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.block.LogSpan;
import org.kblake.core.model.Group;

class EvictedStretchesTest {

  private static final Group GROUP = new Group("RF", "Cavities");

  @TempDir Path store;

  private static LogSpan stretch(long from, long to) {
    return new LogSpan("20240302000000", from, to);
  }

  /**
   * Each eviction writes the whole file. With a line for each block, thousands of evictions would
   * write hundreds of MiB.
   */
  @Test
  void neighboursAreOneLineInAnyOrder() throws Exception {
    EvictedStretches evicted = new EvictedStretches(store);
    evicted.add(GROUP, List.of(stretch(100, 200)));
    evicted.add(GROUP, List.of(stretch(300, 400)));
    assertThat(evicted.stretches(GROUP)).containsExactly(stretch(100, 200), stretch(300, 400));
    evicted.add(GROUP, List.of(stretch(200, 300)));
    assertThat(evicted.stretches(GROUP)).containsExactly(stretch(100, 400));
    evicted.add(GROUP, List.of(stretch(0, 350), new LogSpan("20240402000000", 400, 500)));
    assertThat(new EvictedStretches(store).stretches(GROUP))
        .containsExactly(stretch(0, 400), new LogSpan("20240402000000", 400, 500));
    assertThat(Files.readAllLines(store.resolve("evicted"))).hasSize(2);
  }

  @Test
  void aPartOfNeighboursIsRemovedAlone() throws Exception {
    EvictedStretches evicted = new EvictedStretches(store);
    evicted.add(GROUP, List.of(stretch(0, 100), stretch(100, 200)));
    evicted.remove(GROUP, stretch(50, 150));
    assertThat(evicted.stretches(GROUP)).containsExactly(stretch(0, 50), stretch(150, 200));
  }
}
