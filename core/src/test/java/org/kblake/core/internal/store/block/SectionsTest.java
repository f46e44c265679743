package org.kblake.core.internal.store.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.internal.fixture.ReplacedFile;
import org.kblake.core.internal.store.file.StoreFiles;

class SectionsTest {

  private static final long MAGIC = 0x1122334455667788L;

  @TempDir Path directory;
  private Path file;
  private byte[] repeating;
  private byte[] random;

  @BeforeEach
  void writeThreeSections() throws IOException {
    file = directory.resolve("file.kb");
    repeating = new byte[10_000];
    Arrays.fill(repeating, (byte) 7);
    random = new byte[5_000];
    new SplittableRandom(1).nextBytes(random);
    try (StoreFiles.Output output = StoreFiles.LOCAL.create(file)) {
      Sections.write(output, MAGIC, repeating, random, new byte[0]);
    }
  }

  @Test
  void returnsEverySection() throws IOException {
    DataInputStream[] sections = Sections.read(file, MAGIC, 3, 2, 0, 1).sections();
    assertThat(sections[0].readAllBytes()).isEmpty();
    assertThat(sections[1].readAllBytes()).isEqualTo(repeating);
    assertThat(sections[2].readAllBytes()).isEqualTo(random);
  }

  @Test
  void compressesRepeatedBytes() throws IOException {
    assertThat(Files.size(file)).isLessThan(random.length + 300L);
  }

  @Test
  void detectsEveryFlippedByte() throws IOException {
    byte[] good = Files.readAllBytes(file);
    for (int at = 0; at < good.length; at++) {
      byte[] bad = good.clone();
      bad[at] ^= 0x10;
      ReplacedFile.write(file, bad);
      assertThatThrownBy(() -> Sections.read(file, MAGIC, 3, 0, 1, 2))
          .as("byte %d", at)
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageContaining(file.toString());
    }
  }

  @Test
  void detectsEveryTruncation() throws IOException {
    byte[] good = Files.readAllBytes(file);
    for (int length = 0; length < good.length; length += 7) {
      ReplacedFile.write(file, Arrays.copyOf(good, length));
      assertThatThrownBy(() -> Sections.read(file, MAGIC, 3, 0, 1, 2))
          .as("length %d", length)
          .isInstanceOf(CorruptBlockException.class);
    }
  }

  @Test
  void namesAMissingFile() {
    Path missing = directory.resolve("missing.kb");
    assertThatThrownBy(() -> Sections.read(missing, MAGIC, 3, 0))
        .isInstanceOf(CorruptBlockException.class)
        .hasMessageContaining("missing.kb")
        .hasMessageContaining("found=no file");
  }
}
