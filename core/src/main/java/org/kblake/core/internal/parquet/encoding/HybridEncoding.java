package org.kblake.core.internal.parquet.encoding;

import java.util.Arrays;

/**
 * The Parquet encoding RLE, a hybrid of run lengths and bit-packing, for levels, dictionary indices
 * and booleans.
 *
 * <pre>
 *   RUN:     length &lt;&lt; 1     (ULEB128) | value (whole bytes of the bit width)
 *   LITERAL: groups &lt;&lt; 1 | 1 (ULEB128) | 8 x groups values of the bit width, first in the low bits
 * </pre>
 */
public final class HybridEncoding {

  /**
   * The largest width at which the 57 usable bits of a word at any bit position contain four
   * values.
   */
  private static final int FOUR_IN_A_WORD = 14;

  private HybridEncoding() {}

  /** Returns the number of bits that numbers from 0 to a maximum need. */
  public static int width(int max) {
    return 32 - Integer.numberOfLeadingZeros(max);
  }

  /** Appends values of at most {@code width} bits. */
  public static void encode(int[] values, int from, int to, int width, ByteOutput out) {
    int shortestRun = shortestRun(width);
    int literal = from;
    int at = from;
    while (at < to) {
      int run = at + 8 <= to || width == 0 ? runLength(values, at, to) : 0;
      if (run >= shortestRun || (width == 0 && run > 0)) {
        putLiteral(values, literal, at, width, out);
        out.putVarint((long) run << 1);
        for (int shift = 0; shift < width; shift += 8) {
          out.write(values[at] >>> shift);
        }
        at += run;
        literal = at;
      } else {
        at += 8;
      }
    }
    putLiteral(values, literal, to, width, out);
  }

  /**
   * Returns the length of the shortest run, in whole groups of 8, that takes fewer bytes than
   * bit-packing.
   */
  private static int shortestRun(int width) {
    if (width == 0) {
      return 1;
    }
    int bytesOfRun = 3 + (width + 7) / 8;
    return Math.max(8, (bytesOfRun * 8 / width + 7) & ~7);
  }

  private static int runLength(int[] values, int from, int to) {
    int value = values[from];
    int at = from + 1;
    while (at < to && values[at] == value) {
      at++;
    }
    return at - from;
  }

  private static void putLiteral(int[] values, int from, int to, int width, ByteOutput out) {
    if (from == to) {
      return;
    }
    int groups = (to - from + 7) / 8;
    out.putVarint((long) groups << 1 | 1);
    int bytes = groups * width;
    out.ensure(bytes + 8);
    byte[] target = out.bytes;
    int position = out.size;
    long word = 0;
    int bits = 0;
    for (int i = from; i < to; i++) {
      long value = values[i];
      word |= value << bits;
      bits += width;
      if (bits >= 64) {
        LittleEndian.putLong(target, position, word);
        position += 8;
        bits -= 64;
        word = bits == 0 ? 0 : value >>> (width - bits);
      }
    }
    int end = out.size + bytes;
    while (position < end) {
      target[position++] = (byte) word;
      word >>>= 8;
    }
    out.size = end;
  }

  /**
   * Decodes values. The array must have 8 more bytes behind {@code end}, with any contents.
   *
   * @return the largest value, or -1 if {@code count} is 0
   */
  public static int decode(
      byte[] bytes, int from, int end, int width, int[] into, int at, int count)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    int done = at;
    int stop = at + count;
    int max = -1;
    while (done < stop) {
      int header = cursor.varint32();
      int values;
      if ((header & 1) == 0) {
        values = Math.min(header >>> 1, stop - done);
        int value = runValue(cursor, width);
        Arrays.fill(into, done, done + values, value);
        max = Math.max(max, value);
      } else {
        long packed = packedBytes(cursor, header, width);
        values = (int) Math.min((header >>> 1) * 8L, stop - done);
        max = Math.max(max, unpack(bytes, cursor.position(), width, into, done, values));
        cursor.skip(packed);
      }
      if (values == 0) {
        throw new MalformedPageException("an empty run", "at least 1 value");
      }
      done += values;
    }
    return max;
  }

  /**
   * Decodes dictionary indices and looks up their entries. As for {@link #decode}, the array must
   * have 8 more bytes behind the end.
   *
   * @param entries the dictionary's entries, in an array of 2^width elements
   * @param size the number of entries, at least 1
   * @return false if an index is not below {@code size}, and then {@code into} is not valid
   */
  public static boolean decodeEntries(
      byte[] bytes,
      int from,
      int end,
      int width,
      long[] entries,
      int size,
      long[] into,
      int at,
      int count)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    int largest = size - 1;
    int done = at;
    int stop = at + count;
    int beyond = 0;
    while (done < stop) {
      int header = cursor.varint32();
      int values;
      if ((header & 1) == 0) {
        values = Math.min(header >>> 1, stop - done);
        int index = runValue(cursor, width);
        Arrays.fill(into, done, done + values, entries[index]);
        beyond |= largest - index;
      } else {
        long packed = packedBytes(cursor, header, width);
        values = (int) Math.min((header >>> 1) * 8L, stop - done);
        beyond |=
            unpackEntries(bytes, cursor.position(), width, largest, entries, into, done, values);
        cursor.skip(packed);
      }
      if (values == 0) {
        throw new MalformedPageException("an empty run", "at least 1 value");
      }
      done += values;
    }
    return beyond >= 0;
  }

  private static int unpackEntries(
      byte[] bytes,
      int from,
      int width,
      int largest,
      long[] entries,
      long[] into,
      int at,
      int count) {
    int beyond = 0;
    int whole = 0;
    if (width > 0 && width <= EntryUnpacking.WIDEST) {
      int groups = count >>> 3;
      whole = groups << 3;
      beyond = EntryUnpacking.unpack(bytes, from, width, largest, entries, into, at, groups);
    }
    int mask = (int) ((1L << width) - 1);
    long bit = ((long) from << 3) + (long) whole * width;
    for (int i = at + whole; i < at + count; i++) {
      int index = (int) (LittleEndian.getLong(bytes, (int) (bit >>> 3)) >>> (bit & 7)) & mask;
      into[i] = entries[index];
      beyond |= largest - index;
      bit += width;
    }
    return beyond;
  }

  private static int runValue(ByteCursor cursor, int width) throws MalformedPageException {
    int value = cursor.bytesAsInt((width + 7) / 8);
    if (value >>> width != 0 && width < 32) {
      throw new MalformedPageException("run of value " + value, "at most " + width + " bits");
    }
    return value;
  }

  private static long packedBytes(ByteCursor cursor, int header, int width)
      throws MalformedPageException {
    long packed = (long) (header >>> 1) * width;
    if (packed > cursor.remaining()) {
      throw new MalformedPageException(
          packed + " bytes of packed values", "at most " + cursor.remaining());
    }
    return packed;
  }

  /**
   * Decodes the values at some positions only. Other runs and other packed values are skipped. As
   * for {@link #decode}, the array must have 8 more bytes behind the end.
   *
   * @return the largest value, or -1 if there are no positions
   */
  public static int decodeAt(
      byte[] bytes, int from, int end, int width, RowIndices positions, int[] into)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    int mask = (int) ((1L << width) - 1);
    long runFrom = 0;
    int max = -1;
    int i = 0;
    while (i < positions.count) {
      int header = cursor.varint32();
      long values;
      if ((header & 1) == 0) {
        values = Integer.toUnsignedLong(header) >>> 1;
        int value = runValue(cursor, width);
        for (; i < positions.count && positions.at[i] < runFrom + values; i++) {
          into[i] = value;
          max = Math.max(max, value);
        }
      } else {
        long packed = packedBytes(cursor, header, width);
        values = (header >>> 1) * 8L;
        long firstBit = (long) cursor.position() << 3;
        for (; i < positions.count && positions.at[i] < runFrom + values; i++) {
          long bit = firstBit + (positions.at[i] - runFrom) * width;
          into[i] = (int) (LittleEndian.getLong(bytes, (int) (bit >>> 3)) >>> (bit & 7)) & mask;
          max = Math.max(max, into[i]);
        }
        cursor.skip(packed);
      }
      if (values == 0) {
        throw new MalformedPageException("an empty run", "at least 1 value");
      }
      runFrom += values;
    }
    return max;
  }

  /** Returns the value of the first run if it contains all {@code count} values, otherwise -1. */
  public static int valueOfAll(byte[] bytes, int from, int end, int width, int count)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    int header = cursor.remaining() == 0 ? 1 : cursor.varint32();
    return (header & 1) == 0 && header >>> 1 >= count ? runValue(cursor, width) : -1;
  }

  private static int unpack(byte[] bytes, int from, int width, int[] into, int at, int count) {
    int mask = (int) ((1L << width) - 1);
    long bit = (long) from << 3;
    int end = at + count;
    int i = at;
    if (width <= FOUR_IN_A_WORD) {
      for (; i + 4 <= end; i += 4) {
        long four = LittleEndian.getLong(bytes, (int) (bit >>> 3)) >>> (bit & 7);
        into[i] = (int) four & mask;
        into[i + 1] = (int) (four >>> width) & mask;
        into[i + 2] = (int) (four >>> 2 * width) & mask;
        into[i + 3] = (int) (four >>> 3 * width) & mask;
        bit += 4L * width;
      }
    }
    for (; i < end; i++) {
      into[i] = (int) (LittleEndian.getLong(bytes, (int) (bit >>> 3)) >>> (bit & 7)) & mask;
      bit += width;
    }
    int max = 0;
    for (i = at; i < end; i++) {
      max = Math.max(max, into[i]);
    }
    return max;
  }

  /**
   * Checks that the runs contain {@code count} values without decoding them, before memory is
   * allocated.
   */
  public static void expectCount(byte[] bytes, int from, int end, int width, int count)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    long values = 0;
    long padding = 0;
    while (cursor.remaining() > 0) {
      int header = cursor.varint32();
      padding = (header & 1) == 0 ? 0 : 7;
      values += (header & 1) == 0 ? header >>> 1 : (header >>> 1) * 8L;
      cursor.skip((header & 1) == 0 ? (width + 7) / 8 : (long) (header >>> 1) * width);
    }
    if (values < count || values > count + padding) {
      throw new MalformedPageException(count + " values", Long.toString(values));
    }
  }
}
