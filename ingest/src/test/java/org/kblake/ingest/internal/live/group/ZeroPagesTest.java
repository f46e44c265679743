package org.kblake.ingest.internal.live.group;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Finds pages of 4,096 zero bytes, read from any offset and in pieces of any size. */
final class ZeroPagesTest {

  private static boolean found(int fromOffset, int zerosFrom, int zerosTo, int pieceBytes) {
    byte[] file = new byte[5 * 4096];
    Arrays.fill(file, (byte) 1);
    Arrays.fill(file, zerosFrom, zerosTo, (byte) 0);
    ZeroPages zeros = new ZeroPages();
    for (int at = fromOffset; at < file.length; at += pieceBytes) {
      int count = Math.min(pieceBytes, file.length - at);
      zeros.examine(ByteBuffer.wrap(file, at, count), at);
    }
    return zeros.found();
  }

  @Test
  void findsPagesThatEndInZerosInPiecesOfAnySize() {
    for (int pieceBytes : new int[] {1, 7, 4096, 5000, 1 << 20}) {
      for (int from : new int[] {0, 100, 4096}) {
        assertThat(found(from, 8192, 12288, pieceBytes)).isTrue();
        assertThat(found(from, 8192 - 16, 8192, pieceBytes)).isTrue();
        assertThat(found(from, 8000, 8300, pieceBytes)).isTrue();
        // Such zeros occur in values, and within a page.
        assertThat(found(from, 8192 - 15, 8192, pieceBytes)).isFalse();
        assertThat(found(from, 8192, 12287, pieceBytes)).isFalse();
      }
    }
  }
}
