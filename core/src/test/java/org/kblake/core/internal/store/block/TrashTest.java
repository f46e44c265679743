package org.kblake.core.internal.store.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.internal.store.file.StoreFiles;

final class TrashTest {

  private static final String BLOCK = "20160516000000_0-20160516000000_946.1";

  @TempDir Path store;

  private Path block(String group) throws IOException {
    Path block = store.resolve(group).resolve(BLOCK);
    Files.createDirectories(block);
    Files.createFile(block.resolve("block.kb"));
    return block;
  }

  /** Groups of two systems may have the same name and pairs that begin at the same time. */
  @Test
  void takesBlocksOfTheSameNameInOneMillisecond() throws IOException {
    Trash trash = new Trash(StoreFiles.LOCAL, store);
    Instant now = Instant.now();
    trash.put(block("VA/CCG"), now);
    trash.put(block("RF/CCG"), now);
    try (Stream<Path> entries = Files.list(store.resolve(Trash.DIRECTORY))) {
      assertThat(entries).hasSize(2);
    }
    BlockName name = BlockName.parse(BLOCK).orElseThrow();
    assertThat(trash.freeGeneration(store.resolve("VA/CCG"), name)).isEqualTo(2);
    assertThat(trash.freeGeneration(store.resolve("RF/CCG"), name)).isEqualTo(2);
    assertThat(trash.freeGeneration(store.resolve("BM/CCG"), name)).isEqualTo(1);
    trash.empty(now.plus(Trash.KEPT).plusSeconds(1));
    assertThat(trash.bytes()).isZero();
  }

  /** A merge and an eviction may take the same block out of use at the same time. */
  @Test
  void movesABlockOnce() throws IOException {
    Trash trash = new Trash(StoreFiles.LOCAL, store);
    Path block = block("VA/CCG");
    assertThat(trash.put(block, Instant.now())).isTrue();
    assertThat(trash.put(block, Instant.now())).isFalse();
  }
}
