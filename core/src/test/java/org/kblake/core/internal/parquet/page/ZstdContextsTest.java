package org.kblake.core.internal.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ZstdContextsTest {

  private static final int ROOM = 100_000;

  @Test
  void threadsDoNotDisturbEachOther() {
    // Uses more threads than there are contexts at that time.
    boolean all = IntStream.range(0, 500).parallel().allMatch(ZstdContextsTest::isRestored);
    assertThat(all).isTrue();
  }

  @Test
  void aFailureDoesNotAffectLaterUse() {
    byte[] plain = plain(1);
    ByteBuffer stored = stored(plain);
    ByteBuffer cut = stored.duplicate().limit(stored.limit() - 3);
    for (int i = 0; i < 100; i++) {
      assertThatThrownBy(() -> ZstdContexts.decompress(cut, new byte[ROOM], ROOM))
          .isInstanceOf(ZstdException.class);
      assertThatThrownBy(() -> ZstdContexts.decompress(stored, new byte[ROOM], plain.length - 1))
          .isInstanceOf(ZstdException.class);
      assertThat(isRestored(i)).isTrue();
    }
  }

  private static boolean isRestored(int seed) {
    byte[] plain = plain(seed);
    byte[] into = new byte[ROOM];
    int written = ZstdContexts.decompress(stored(plain), into, ROOM);
    return Arrays.equals(plain, Arrays.copyOf(into, written));
  }

  private static byte[] plain(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    byte[] plain = new byte[1 + random.nextInt(ROOM)];
    for (int i = 0; i < plain.length; i++) {
      plain[i] = (byte) random.nextInt(4);
    }
    return plain;
  }

  /** Returns the compressed bytes behind unrelated bytes. */
  private static ByteBuffer stored(byte[] plain) {
    byte[] compressed = Zstd.compress(plain);
    ByteBuffer buffer = ByteBuffer.allocateDirect(7 + compressed.length);
    return buffer.put(7, compressed).position(7);
  }
}
