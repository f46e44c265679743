package org.kblake.ingest.internal.live.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.log.LogSpan;
import org.kblake.core.model.Group;

class EvictedSpansTest {

  private static final Group GROUP = new Group("RF", "Cavities");

  @TempDir Path store;

  private static LogSpan span(long from, long to) {
    return new LogSpan("20240302000000", from, to);
  }

  /**
   * Each eviction writes the whole file. With a line for each block, thousands of evictions would
   * write hundreds of MiB.
   */
  @Test
  void neighboursAreOneLineInAnyOrder() throws Exception {
    EvictedSpans evicted = new EvictedSpans(store);
    evicted.add(GROUP, List.of(span(100, 200)));
    evicted.add(GROUP, List.of(span(300, 400)));
    assertThat(evicted.spans(GROUP)).containsExactly(span(100, 200), span(300, 400));
    evicted.add(GROUP, List.of(span(200, 300)));
    assertThat(evicted.spans(GROUP)).containsExactly(span(100, 400));
    evicted.add(GROUP, List.of(span(0, 350), new LogSpan("20240402000000", 400, 500)));
    assertThat(new EvictedSpans(store).spans(GROUP))
        .containsExactly(span(0, 400), new LogSpan("20240402000000", 400, 500));
    assertThat(Files.readAllLines(store.resolve("evicted"))).hasSize(2);
  }

  @Test
  void someBytesOfNeighboursAreRemovedAlone() throws Exception {
    EvictedSpans evicted = new EvictedSpans(store);
    evicted.add(GROUP, List.of(span(0, 100), span(100, 200)));
    evicted.remove(GROUP, span(50, 150));
    assertThat(evicted.spans(GROUP)).containsExactly(span(0, 50), span(150, 200));
  }
}
