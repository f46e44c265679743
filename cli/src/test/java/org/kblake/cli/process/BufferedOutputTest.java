package org.kblake.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BufferedOutputTest {

  /** Small writes are buffered and large ones are not, so their order could change. */
  @Test
  void keepsTheOrderOfBytesAndBuffersOfAllSizes() throws Exception {
    long seed = 1;
    SplittableRandom random = new SplittableRandom(seed);
    ByteArrayOutputStream expected = new ByteArrayOutputStream();
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (BufferedOutput out = new BufferedOutput(written)) {
      for (int i = 0; i < 200; i++) {
        byte[] bytes = new byte[random.nextInt(1 << random.nextInt(1, 18))];
        random.nextBytes(bytes);
        expected.write(bytes);
        if (random.nextBoolean()) {
          out.write(bytes);
        } else {
          ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
          assertThat(out.write(direct)).isEqualTo(bytes.length);
          assertThat(direct.hasRemaining()).isFalse();
        }
      }
    }
    assertThat(written.toByteArray()).as("seed=%d", seed).isEqualTo(expected.toByteArray());
  }
}
