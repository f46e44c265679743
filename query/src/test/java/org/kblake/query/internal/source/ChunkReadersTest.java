package org.kblake.query.internal.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChunkReadersTest {

  private static final int KEPT = 4;

  private final ChunkReaders readers = new ChunkReaders().ordered();

  @Test
  void aReaderThatIsGivenBackIsTakenAgain() throws Exception {
    ChunkReaders.Idle first = readers.take();
    ChunkReaders.Idle second = readers.take();
    assertThat(second).isNotSameAs(first);
    readers.giveBack(first);
    assertThat(readers.take()).isSameAs(first);
    assertThat(readers.take()).isNotSameAs(first).isNotSameAs(second);
  }

  @Test
  void fewReadersAreKept() throws Exception {
    List<ChunkReaders.Idle> used = new ArrayList<>();
    for (int i = 0; i <= KEPT; i++) {
      used.add(readers.take());
    }
    for (ChunkReaders.Idle each : used) {
      readers.giveBack(each);
    }
    for (int i = 0; i < KEPT; i++) {
      assertThat(readers.take()).isIn(used);
    }
    assertThat(readers.take()).isNotIn(used);
  }
}
