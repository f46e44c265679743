package org.kblake.core.internal.parquet.encoding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unpacks numbers of every width. Each width has its own method. */
class UnpackingTest {

  private static final int PADDING = 16;

  // The counts 1 and 33 begin a miniblock, 129 is a whole block behind the first value, 4,096 a
  // page.
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 32, 33, 34, 129, 161, 4096})
  void deltasOfEachWidthAreRestored(int count) throws MalformedPageException {
    SplittableRandom random = new SplittableRandom(count);
    for (int width = 0; width <= 64; width++) {
      long[] values = new long[count];
      values[0] = random.nextLong();
      for (int i = 1; i < count; i++) {
        long delta = width == 0 ? 0 : random.nextLong() >>> (64 - width);
        values[i] = values[i - 1] + delta;
      }
      ByteOutput out = new ByteOutput(1 << 17);
      new DeltaEncoding().encode(values, 0, count, false, out);
      long[] decoded = new long[count + 2];
      byte[] bytes = filledBehind(out);
      int end = DeltaEncoding.decode(bytes, 0, out.size, false, decoded, 1, count);
      assertThat(end).as("width %d", width).isEqualTo(out.size);
      assertThat(Arrays.copyOfRange(decoded, 1, count + 1)).as("width %d", width).isEqualTo(values);
      assertThat(decoded[count + 1]).as("behind width %d", width).isZero();
    }
  }

  // Neighbouring miniblocks of one width are unpacked together: two, three or all four of a block,
  // or none.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void deltasOfMixedWidthsAreRestored(long seed) throws MalformedPageException {
    SplittableRandom random = new SplittableRandom(seed);
    int count = 4096 - random.nextInt(128);
    long[] values = new long[count];
    int width = 0;
    for (int i = 1; i < count; i++) {
      if ((i - 1) % DeltaEncoding.MINIBLOCK == 0 && random.nextBoolean()) {
        width = random.nextInt(40);
      }
      values[i] = values[i - 1] + (width == 0 ? 0 : random.nextLong() >>> (64 - width));
    }
    ByteOutput out = new ByteOutput(1 << 17);
    new DeltaEncoding().encode(values, 0, count, false, out);
    long[] decoded = new long[count];
    int end = DeltaEncoding.decode(filledBehind(out), 0, out.size, false, decoded, 0, count);
    assertThat(end).as("seed %d", seed).isEqualTo(out.size);
    assertThat(decoded).as("seed %d", seed).isEqualTo(values);
  }

  // The smallest of 4 values takes 1 to 10 bytes. Their range is from 0 to far above it, so that
  // blocks are shorter with their smallest delta, shorter with 0, or equal.
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void blocksOfPositiveDeltasAreRestoredAndNeverLongerThanWithTheirSmallest(long seed)
      throws MalformedPageException {
    SplittableRandom random = new SplittableRandom(seed);
    int shorter = 0;
    for (int block = 0; block < 500; block++) {
      int count = 1 + random.nextInt(DeltaEncoding.BLOCK);
      boolean narrow = random.nextInt(4) == 0;
      long smallest = random.nextLong() >>> random.nextInt(narrow ? 34 : 2, 64);
      long range = random.nextLong() >>> random.nextInt(narrow ? 34 : 2, 64);
      long[] values = new long[count + 1];
      long[] deltas = new long[count];
      values[0] = random.nextInt(-1000, 1000);
      for (int i = 0; i < count; i++) {
        deltas[i] = smallest + (range == 0 ? 0 : random.nextLong(range));
        values[i + 1] = values[i] + deltas[i];
        values[i + 1] = narrow ? (int) values[i + 1] : values[i + 1];
      }
      ByteOutput out = new ByteOutput(1 << 12);
      new DeltaEncoding().encode(values, 0, count + 1, narrow, out);
      long[] decoded = new long[count + 1];
      int end = DeltaEncoding.decode(filledBehind(out), 0, out.size, narrow, decoded, 0, count + 1);
      assertThat(end).as("seed %d, block %d", seed, block).isEqualTo(out.size);
      assertThat(decoded).as("seed %d, block %d", seed, block).isEqualTo(values);
      int usual = bytesWithSmallest(values[0], deltas);
      assertThat(out.size).as("seed %d, block %d", seed, block).isLessThanOrEqualTo(usual);
      shorter += out.size < usual ? 1 : 0;
    }
    assertThat(shorter).as("seed %d", seed).isBetween(50, 450);
  }

  /** Returns the size of a page of one block whose min_delta is its smallest delta. */
  private static int bytesWithSmallest(long first, long[] deltas) {
    ByteOutput heads = new ByteOutput(64);
    heads.putVarint(DeltaEncoding.BLOCK);
    heads.putVarint(DeltaEncoding.MINIBLOCKS);
    heads.putVarint(deltas.length + 1);
    heads.putZigzag(first);
    long smallest = Arrays.stream(deltas).min().orElseThrow();
    heads.putZigzag(smallest);
    int bytes = heads.size + DeltaEncoding.MINIBLOCKS;
    for (int from = 0; from < deltas.length; from += DeltaEncoding.MINIBLOCK) {
      int to = Math.min(deltas.length, from + DeltaEncoding.MINIBLOCK);
      long largest = Arrays.stream(deltas, from, to).max().orElseThrow();
      bytes += 4 * (Long.SIZE - Long.numberOfLeadingZeros(largest - smallest));
    }
    return bytes;
  }

  /** Intervals of 2 to 7 s have 33 bits with and without 2 s, which take 5 bytes. */
  @Test
  void intervalsOfSomeSecondsDoNotStoreTheSmallest() {
    SplittableRandom random = new SplittableRandom(1);
    long[] values = new long[DeltaEncoding.BLOCK + 1];
    for (int i = 0; i < DeltaEncoding.BLOCK; i++) {
      values[i + 1] = values[i] + (2 + i % 6) * 1_000_000_000L + random.nextInt(1_000_000);
    }
    ByteOutput out = new ByteOutput(1 << 12);
    new DeltaEncoding().encode(values, 0, values.length, false, out);
    int head = 2 + 1 + 2 + 1;
    assertThat(out.size).isEqualTo(head + 1 + 4 + DeltaEncoding.BLOCK * 33 / 8);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 100, 4096})
  void entriesOfEachWidthAreRestored(int count) throws MalformedPageException {
    SplittableRandom random = new SplittableRandom(count);
    for (int width = 1; width <= 18; width++) {
      int size = (1 << width - 1) + 1;
      long[] entries = random.longs(size).toArray();
      int[] indices = random.ints(count, 0, size).toArray();
      long[] decoded = new long[count + 2];
      assertThat(decode(entries, indices, width, decoded)).as("width %d", width).isTrue();
      for (int i = 0; i < count; i++) {
        assertThat(decoded[i + 1])
            .as("width %d, value %d", width, i)
            .isEqualTo(entries[indices[i]]);
      }
      assertThat(decoded[count + 1]).as("behind width %d", width).isZero();
    }
  }

  // The index is among those unpacked eight at a time, or behind them.
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 16, 17})
  void anIndexBeyondTheDictionaryIsDetected(int place) throws MalformedPageException {
    for (int width = 2; width <= 18; width++) {
      int size = (1 << width - 1) + 1;
      for (int index : new int[] {size, (1 << width) - 1}) {
        int[] indices = new int[18];
        indices[place] = index;
        long[] decoded = new long[20];
        assertThat(decode(new long[size], indices, width, decoded))
            .as("width %d, index %d", width, index)
            .isFalse();
      }
    }
  }

  // 512 values are transposed at once, then eight at a time, and the rest one by one.
  @ParameterizedTest
  @ValueSource(ints = {1, 8, 15, 511, 512, 513, 1031, 4096})
  void splitBytesAreRestored(int count) {
    SplittableRandom random = new SplittableRandom(count);
    for (int width : new int[] {4, 8}) {
      long[] values = random.longs(count).map(value -> width == 4 ? (int) value : value).toArray();
      ByteOutput out = new ByteOutput(1 << 17);
      out.write(0);
      new ByteStreamSplit().encode(values, 0, count, width, out);
      long[] decoded = new long[count + 2];
      new SplitBytes().decode(filledBehind(out), 1, width, decoded, 1, count);
      assertThat(Arrays.copyOfRange(decoded, 1, count + 1)).as("width %d", width).isEqualTo(values);
      assertThat(decoded[count + 1]).as("behind width %d", width).isZero();
    }
  }

  private static boolean decode(long[] entries, int[] indices, int width, long[] decoded)
      throws MalformedPageException {
    ByteOutput out = new ByteOutput(1 << 17);
    HybridEncoding.encode(indices, 0, indices.length, width, out);
    long[] padded = Arrays.copyOf(entries, 1 << width);
    return HybridEncoding.decodeEntries(
        filledBehind(out), 0, out.size, width, padded, entries.length, decoded, 1, indices.length);
  }

  /** Returns the bytes with other bytes behind them that must have no effect. */
  private static byte[] filledBehind(ByteOutput out) {
    byte[] bytes = Arrays.copyOf(out.bytes, out.size + PADDING);
    Arrays.fill(bytes, out.size, bytes.length, (byte) 0xA5);
    return bytes;
  }
}
