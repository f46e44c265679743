package org.kblake.core.store.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Decodes the values of pages of numbers. Reused, not thread safe. */
final class NumberPageDecoder {

  private final ByteStreamSplit split = new ByteStreamSplit();
  private int[] indices = new int[EventFormat.PAGE_ROWS];

  /**
   * Decodes the values behind a page's levels.
   *
   * @param from where they begin in the body
   * @param dictionary of the chunk; of no entries if it has none
   * @param count exactly so many
   */
  void decode(
      PageBody page,
      int from,
      ColumnEncoding encoding,
      NumberKind kind,
      NumberDictionary dictionary,
      long[] into,
      int at,
      int count)
      throws MalformedPageException {
    switch (encoding) {
      case PLAIN -> {
        expectSize(page, from, (long) count * kind.bytes());
        ByteBuffer plain =
            page.isPlain()
                ? page.stored()
                : ByteBuffer.wrap(page.bytes(), 0, page.size()).order(ByteOrder.LITTLE_ENDIAN);
        kind.getPlain(plain.position(plain.position() + from), into, at, count);
      }
      case BYTE_STREAM_SPLIT -> {
        expectSize(page, from, (long) count * kind.bytes());
        split.decode(page.bytes(), from, kind.bytes(), into, at, count);
      }
      case DELTA -> {
        boolean narrow = kind.bytes() == 4;
        int end = DeltaEncoding.decode(page.bytes(), from, page.size(), narrow, into, at, count);
        if (end != page.size()) {
          throw new MalformedPageException(
              page.size() - end + " bytes behind the last value", "none");
        }
      }
      case DICTIONARY -> decodeIndices(page, from, dictionary, into, at, count);
      case RLE, DELTA_LENGTH ->
          throw new MalformedPageException("numbers as " + encoding, "an encoding of numbers");
    }
  }

  private void decodeIndices(
      PageBody page, int from, NumberDictionary dictionary, long[] into, int at, int count)
      throws MalformedPageException {
    byte[] bytes = page.bytes();
    int[] index = indices(count);
    if (decodeIndices(bytes, from, page.size(), dictionary.size(), index, count) < 0) {
      return;
    }
    long[] entries = dictionary.entries();
    for (int i = 0; i < count; i++) {
      into[at + i] = entries[index[i]];
    }
  }

  private int[] indices(int count) {
    if (indices.length < count) {
      indices = new int[count];
    }
    return indices;
  }

  /**
   * Decodes dictionary indices, which begin with a byte of bit width, and sees that all of them are
   * below the dictionary's size.
   *
   * @return the largest, -1 if there are none
   */
  static int decodeIndices(byte[] bytes, int from, int end, int size, int[] into, int count)
      throws MalformedPageException {
    if (from >= end) {
      throw new MalformedPageException("a page without a bit width", "a bit width");
    }
    int width = bytes[from];
    if (size == 0 || width != HybridEncoding.width(size - 1)) {
      throw new MalformedPageException(
          "indices of " + width + " bits", "those of " + size + " dictionary entries");
    }
    int max = HybridEncoding.decode(bytes, from + 1, end, width, into, 0, count);
    if (max >= size) {
      throw new MalformedPageException("dictionary index " + max, "below " + size);
    }
    return max;
  }

  private static void expectSize(PageBody page, int from, long bytes)
      throws MalformedPageException {
    if (page.size() - from != bytes) {
      throw new MalformedPageException(
          page.size() - from + " bytes of values", Long.toString(bytes));
    }
  }
}
