package org.kblake.ingest.internal.live.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Finds pages of 4,096 zero bytes, read from any offset and in buffers of any size. */
final class ZeroPagesTest {

  private static boolean found(int fromOffset, int zerosFrom, int zerosTo, int bufferBytes) {
    byte[] file = new byte[5 * 4096];
    Arrays.fill(file, (byte) 1);
    Arrays.fill(file, zerosFrom, zerosTo, (byte) 0);
    ZeroPages zeros = new ZeroPages();
    for (int at = fromOffset; at < file.length; at += bufferBytes) {
      int count = Math.min(bufferBytes, file.length - at);
      zeros.examine(ByteBuffer.wrap(file, at, count), at);
    }
    return zeros.found();
  }

  @Test
  void findsPagesThatEndInZerosInBuffersOfAnySize() {
    for (int bufferBytes : new int[] {1, 7, 4096, 5000, 1 << 20}) {
      for (int from : new int[] {0, 100, 4096}) {
        assertThat(found(from, 8192, 12288, bufferBytes)).isTrue();
        assertThat(found(from, 8192 - 16, 8192, bufferBytes)).isTrue();
        assertThat(found(from, 8000, 8300, bufferBytes)).isTrue();
        // Such zeros occur in values, and within a page.
        assertThat(found(from, 8192 - 15, 8192, bufferBytes)).isFalse();
        assertThat(found(from, 8192, 12287, bufferBytes)).isFalse();
      }
    }
  }
}
