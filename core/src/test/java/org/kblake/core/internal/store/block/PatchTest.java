package org.kblake.core.internal.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.fixture.ReplacedFile;
import org.kblake.core.internal.store.file.StoreFiles;

class PatchTest {

  @TempDir Path block;

  private void write(int longInsertBytes) throws IOException {
    try (Patch.Writer writer = new Patch.Writer(StoreFiles.LOCAL, block)) {
      writer.add(false, 0, 0, ByteBuffer.wrap(new byte[longInsertBytes]));
      writer.add(true, 1, 77, ByteBuffer.wrap(new byte[] {1, 2, 3}));
      writer.finish();
    }
  }

  private List<Patch> read() throws IOException {
    List<Patch> patches = new ArrayList<>();
    try (Patch.Reader reader = Patch.Reader.of(block.resolve(Patch.FILE_NAME))) {
      for (Patch patch = reader.peek(); patch != null; patch = reader.peek()) {
        patches.add(patch);
        reader.advance();
      }
    }
    return patches;
  }

  @Test
  void returnsEveryPatchInOrder() throws IOException {
    write(100);
    List<Patch> patches = read();
    assertThat(patches).hasSize(2);
    assertThat(patches.get(0).overlay()).isFalse();
    assertThat(patches.get(0).bytes()).hasSize(100);
    assertThat(patches.get(1).overlay()).isTrue();
    assertThat(patches.get(1).span()).isEqualTo(1);
    assertThat(patches.get(1).offset()).isEqualTo(77);
    assertThat(patches.get(1).bytes()).containsExactly(1, 2, 3);
  }

  @Test
  void cutsALongDifferenceIntoAdjoiningPatches() throws IOException {
    write(Patch.MAX_BYTES + 5);
    List<Patch> patches = read();
    assertThat(patches).hasSize(3);
    assertThat(patches.get(1).offset()).isEqualTo(Patch.MAX_BYTES);
    assertThat(patches.get(1).bytes()).hasSize(5);
  }

  @Test
  void detectsEveryTruncation() throws IOException {
    write(100);
    byte[] good = Files.readAllBytes(block.resolve(Patch.FILE_NAME));
    for (int length = 0; length < good.length; length++) {
      ReplacedFile.write(block.resolve(Patch.FILE_NAME), Arrays.copyOf(good, length));
      assertThatThrownBy(this::read)
          .as("length %d", length)
          .isInstanceOf(CorruptBlockException.class);
    }
  }

  /** A few bits of a deflate stream have no effect: the padding before a checksum. */
  @Test
  void detectsEveryFlippedByteWithAnEffect() throws IOException {
    write(100);
    byte[] good = Files.readAllBytes(block.resolve(Patch.FILE_NAME));
    List<Patch> patches = read();
    int unnoticed = 0;
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 4;
      ReplacedFile.write(block.resolve(Patch.FILE_NAME), bad);
      try {
        assertThat(read()).as("byte %d", at).usingRecursiveComparison().isEqualTo(patches);
        unnoticed++;
      } catch (CorruptBlockException e) {
        assertThat(e).hasMessageContaining(Patch.FILE_NAME);
      }
    }
    assertThat(unnoticed).isLessThan(3);
  }

  /**
   * The file has the same bytes as if the patches at and behind the position had never been
   * written.
   */
  @Test
  void removesPatchesAtAndBehindAPosition() throws IOException {
    byte[] bytes = new byte[10_000];
    new Random(1).nextBytes(bytes);
    try (Patch.Writer writer = new Patch.Writer(StoreFiles.LOCAL, block)) {
      writer.add(false, 0, 900, ByteBuffer.wrap(bytes));
      writer.add(true, 1, 76, ByteBuffer.wrap(bytes, 0, 3));
      writer.finish();
    }
    byte[] expected = Files.readAllBytes(block.resolve(Patch.FILE_NAME));
    Files.delete(block.resolve(Patch.FILE_NAME));
    try (Patch.Writer writer = new Patch.Writer(StoreFiles.LOCAL, block)) {
      writer.add(false, 0, 900, ByteBuffer.wrap(bytes));
      writer.add(true, 1, 76, ByteBuffer.wrap(bytes, 0, 3));
      writer.add(true, 1, 77, ByteBuffer.wrap(bytes, 3, 3));
      writer.add(true, 2, 0, ByteBuffer.wrap(bytes, 6, 3));
      writer.removeFrom(1, 77);
      writer.finish();
    }
    assertThat(Files.readAllBytes(block.resolve(Patch.FILE_NAME))).isEqualTo(expected);
    assertThat(block).isDirectoryContaining(file -> file.endsWith(Patch.FILE_NAME));
    try (Stream<Path> files = Files.list(block)) {
      assertThat(files).hasSize(1);
    }
  }

  /**
   * A reader that fails to open leaves no file open. Verification of a store may meet many such
   * blocks.
   */
  @Test
  void closesTheFileOfACorruptPatch() throws IOException {
    Path file = block.resolve(Patch.FILE_NAME);
    Files.write(file, new byte[100]);
    assertThatThrownBy(() -> Patch.Reader.of(file)).isInstanceOf(CorruptBlockException.class);
    try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
      assertThat(open.filter(Files::exists).map(PatchTest::target)).doesNotContain(file);
    }
  }

  private static Path target(Path link) {
    try {
      return Files.readSymbolicLink(link);
    } catch (IOException e) {
      return link;
    }
  }
}
