package org.kblake.core.internal.parquet.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.kblake.core.internal.fixture.Seeds;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;

/** The native library and Java read what the other wrote: a store may move between machines. */
class ZstdCodecTest {

  @ParameterizedTest
  @CsvSource({"true,false", "false,true", "false,false"})
  void eachReadsWhatTheOtherWrote(boolean nativeWrites, boolean nativeReads) throws Exception {
    ZstdCodec writer = codec(nativeWrites);
    ZstdCodec reader = codec(nativeReads);
    for (int length : new int[] {0, 1, 7, 1000, 65_536, 1_000_000}) {
      for (int distinct : new int[] {1, 4, 256}) {
        byte[] plain = plain(new SplittableRandom(length), length, distinct);
        byte[] stored = new byte[5 + writer.bound(length)];
        int size = writer.compress(plain, length, stored, 5);
        byte[] into = new byte[length];
        assertThat(reader.decompress(direct(stored, 5, size), into, length)).isEqualTo(length);
        assertThat(into).isEqualTo(plain);
        byte[] streamed = streamed(writer, plain);
        assertThat(reader.decompress(direct(streamed, 0, streamed.length), into, length))
            .isEqualTo(length);
        assertThat(into).isEqualTo(plain);
      }
    }
  }

  @Test
  void javaRefusesMoreBytesThanThereIsRoom() {
    byte[] plain = plain(new SplittableRandom(1), 1000, 256);
    byte[] stored = new byte[2000];
    int size = new JavaZstd().compress(plain, plain.length, stored, 0);
    assertThatThrownBy(
            () -> new JavaZstd().decompress(direct(stored, 0, size), new byte[1000], 999))
        .isInstanceOf(MalformedPageException.class)
        .hasMessageContaining("zstd: ");
  }

  /** A checksum follows later. Until then damage is an error or other bytes, and nothing else. */
  @Test
  void javaSurvivesDamagedBytes() throws Exception {
    Seeds.each(
        "zstd in Java",
        200,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          byte[] plain = plain(random, 1 + random.nextInt(20_000), 1 + random.nextInt(256));
          byte[] stored = new byte[new JavaZstd().bound(plain.length)];
          int size = new NativeZstd().compress(plain, plain.length, stored, 0);
          for (int i = 0; i < 20; i++) {
            byte[] damaged = Arrays.copyOf(stored, size);
            damaged[random.nextInt(size)] ^= (byte) (1 + random.nextInt(255));
            int length = random.nextInt(4) == 0 ? random.nextInt(size) : size;
            byte[] into = new byte[plain.length];
            try {
              int written =
                  new JavaZstd().decompress(direct(damaged, 0, length), into, into.length);
              assertThat(written).isBetween(0, into.length);
            } catch (MalformedPageException e) {
              assertThat(e).hasMessageContaining("zstd");
            }
          }
        });
  }

  private static ZstdCodec codec(boolean library) {
    return library ? new NativeZstd() : new JavaZstd();
  }

  private static byte[] streamed(ZstdCodec codec, byte[] plain) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = codec.stream(bytes)) {
      out.write(plain);
    }
    return bytes.toByteArray();
  }

  private static byte[] plain(SplittableRandom random, int length, int distinct) {
    byte[] plain = new byte[length];
    for (int i = 0; i < length; i++) {
      plain[i] = (byte) random.nextInt(distinct);
    }
    return plain;
  }

  private static ByteBuffer direct(byte[] bytes, int offset, int length) {
    return ByteBuffer.allocateDirect(length).put(0, bytes, offset, length);
  }
}
