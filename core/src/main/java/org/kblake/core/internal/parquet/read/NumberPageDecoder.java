package org.kblake.core.internal.parquet.read;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.kblake.core.internal.parquet.encoding.ByteStreamSplit;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.encoding.SplitBytes;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.page.PageBody;

/** Decodes the values of pages of numbers. Reusable, not thread safe. */
final class NumberPageDecoder {

  private final DeltaEncoding delta = new DeltaEncoding();
  private final SplitBytes split = new SplitBytes();
  private int[] indices = new int[EventFormat.PAGE_ROWS];

  /**
   * Decodes the values behind a page's levels.
   *
   * @param from the index of the first value in the body
   * @param dictionary the chunk's dictionary; empty if it has none
   * @param count the exact number of values
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
        ByteBuffer plain = plain(page);
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
      case RLE, DELTA_LENGTH -> throw noNumbers(encoding);
    }
  }

  /**
   * Decodes the values at some positions only, into the array from index 0 on.
   *
   * @param count the number of values of the page
   */
  void decodeAt(
      PageBody page,
      int from,
      ColumnEncoding encoding,
      NumberKind kind,
      NumberDictionary dictionary,
      int count,
      RowIndices positions,
      long[] into)
      throws MalformedPageException {
    switch (encoding) {
      case PLAIN -> {
        expectSize(page, from, (long) count * kind.bytes());
        ByteBuffer plain = plain(page);
        int first = plain.position() + from;
        for (int i = 0; i < positions.count; i++) {
          into[i] = kind.plainAt(plain, first + positions.at[i] * kind.bytes());
        }
      }
      case BYTE_STREAM_SPLIT -> {
        expectSize(page, from, (long) count * kind.bytes());
        ByteStreamSplit.decodeAt(page.bytes(), from, kind.bytes(), count, positions, into);
      }
      case DELTA -> {
        boolean narrow = kind.bytes() == 4;
        delta.decodeAt(page.bytes(), from, page.size(), narrow, count, positions, into);
      }
      case DICTIONARY -> {
        int[] index = indices(positions.count);
        decodeIndicesAt(page.bytes(), from, page.size(), dictionary.size(), positions, index);
        long[] entries = dictionary.entries();
        for (int i = 0; i < positions.count; i++) {
          into[i] = entries[index[i]];
        }
      }
      case RLE, DELTA_LENGTH -> throw noNumbers(encoding);
    }
  }

  private static MalformedPageException noNumbers(ColumnEncoding encoding) {
    return new MalformedPageException("numbers as " + encoding, "an encoding of numbers");
  }

  /**
   * Returns the value of all {@code count} values if the page is a single run of indices, otherwise
   * null.
   */
  @Nullable Long valueOfAll(
      PageBody page, ColumnEncoding encoding, NumberDictionary dictionary, int count)
      throws MalformedPageException {
    if (encoding != ColumnEncoding.DICTIONARY) {
      return null;
    }
    byte[] bytes = page.bytes();
    int width = indexWidth(bytes, 0, page.size(), dictionary.size());
    int index = HybridEncoding.valueOfAll(bytes, 1, page.size(), width, count);
    if (index < 0) {
      return null;
    }
    expectBelow(index, dictionary.size());
    return dictionary.entries()[index];
  }

  private static ByteBuffer plain(PageBody page) throws MalformedPageException {
    return page.isPlain()
        ? page.stored()
        : ByteBuffer.wrap(page.bytes(), 0, page.size()).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void decodeIndices(
      PageBody page, int from, NumberDictionary dictionary, long[] into, int at, int count)
      throws MalformedPageException {
    byte[] bytes = page.bytes();
    int end = page.size();
    int size = dictionary.size();
    long[] entries = dictionary.entries();
    int width = indexWidth(bytes, from, end, size);
    if (!HybridEncoding.decodeEntries(
        bytes, from + 1, end, width, entries, size, into, at, count)) {
      // Throws an exception that contains the wrong index.
      decodeIndices(bytes, from, end, size, indices(count), count);
    }
  }

  private int[] indices(int count) {
    if (indices.length < count) {
      indices = new int[count];
    }
    return indices;
  }

  /**
   * Decodes dictionary indices, which begin with a byte of bit width, and checks that all are below
   * the dictionary's size.
   *
   * @return the largest index, or -1 if {@code count} is 0
   */
  static int decodeIndices(byte[] bytes, int from, int end, int size, int[] into, int count)
      throws MalformedPageException {
    int width = indexWidth(bytes, from, end, size);
    int max = HybridEncoding.decode(bytes, from + 1, end, width, into, 0, count);
    expectBelow(max, size);
    return max;
  }

  /** Decodes and checks the indices at some positions only. */
  static void decodeIndicesAt(
      byte[] bytes, int from, int end, int size, RowIndices positions, int[] into)
      throws MalformedPageException {
    int width = indexWidth(bytes, from, end, size);
    expectBelow(HybridEncoding.decodeAt(bytes, from + 1, end, width, positions, into), size);
  }

  private static int indexWidth(byte[] bytes, int from, int end, int size)
      throws MalformedPageException {
    if (from >= end) {
      throw new MalformedPageException("a page without a bit width", "a bit width");
    }
    int width = bytes[from];
    if (size == 0 || width != HybridEncoding.width(size - 1)) {
      throw new MalformedPageException(
          "indices of " + width + " bits", "those of " + size + " dictionary entries");
    }
    return width;
  }

  private static void expectBelow(int max, int size) throws MalformedPageException {
    if (max >= size) {
      throw new MalformedPageException("dictionary index " + max, "below " + size);
    }
  }

  private static void expectSize(PageBody page, int from, long bytes)
      throws MalformedPageException {
    if (page.size() - from != bytes) {
      throw new MalformedPageException(
          page.size() - from + " bytes of values", Long.toString(bytes));
    }
  }
}
