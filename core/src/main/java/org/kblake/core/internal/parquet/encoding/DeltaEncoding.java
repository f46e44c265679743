package org.kblake.core.internal.parquet.encoding;

/**
 * The Parquet encoding DELTA_BINARY_PACKED of 64 and 32 bit integers.
 *
 * <pre>
 *   HEADER: block_size (ULEB128) | miniblock_count (ULEB128) | total_count (ULEB128) | first (zigzag)
 *   BLOCK:  min_delta (zigzag) | a byte of bit width for each miniblock | miniblocks
 *   MINIBLOCK: 32 values of delta - min_delta, first in the low bits
 * </pre>
 *
 * Deltas are taken modulo 2^64, or 2^32 for 32 bit integers. The last miniblock with values is
 * padded. Miniblocks without values have width 0.
 *
 * <p>min_delta is the smallest delta, or 0 if all deltas are positive and the block is shorter with
 * 0. Intervals of 2 to 7 s have 33 bits with and without their minimum, which takes 5 bytes.
 */
public final class DeltaEncoding {

  static final int BLOCK = 128;
  static final int MINIBLOCK = 32;
  static final int MINIBLOCKS = BLOCK / MINIBLOCK;

  private final long[] deltas = new long[BLOCK];

  /**
   * Appends values.
   *
   * @param narrow whether they are 32 bit integers
   */
  public void encode(long[] values, int from, int to, boolean narrow, ByteOutput out) {
    out.putVarint(BLOCK);
    out.putVarint(MINIBLOCKS);
    out.putVarint(to - from);
    out.putZigzag(from == to ? 0 : values[from]);
    for (int at = from + 1; at < to; at += BLOCK) {
      int count = Math.min(BLOCK, to - at);
      if (narrow) {
        encodeNarrowBlock(values, at, count, out);
      } else {
        encodeBlock(values, at, count, out);
      }
    }
  }

  private void encodeBlock(long[] values, int at, int count, ByteOutput out) {
    long[] d = deltas;
    long min = Long.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      long delta = values[at + i] - values[at + i - 1];
      d[i] = delta;
      min = Math.min(min, delta);
    }
    for (int i = 0; i < count; i++) {
      d[i] -= min;
    }
    putBlock(min, count, out);
  }

  private void encodeNarrowBlock(long[] values, int at, int count, ByteOutput out) {
    long[] d = deltas;
    int min = Integer.MAX_VALUE;
    for (int i = 0; i < count; i++) {
      int delta = (int) values[at + i] - (int) values[at + i - 1];
      d[i] = delta;
      min = Math.min(min, delta);
    }
    for (int i = 0; i < count; i++) {
      d[i] = (d[i] - min) & 0xFFFF_FFFFL;
    }
    putBlock(min, count, out);
  }

  private void putBlock(long smallest, int count, ByteOutput out) {
    long[] d = deltas;
    for (int i = count; i < BLOCK; i++) {
      d[i] = 0;
    }
    long min = smallest > 0 && isShorterWithZero(smallest, count) ? 0 : smallest;
    if (min != smallest) {
      for (int i = 0; i < count; i++) {
        d[i] += smallest;
      }
    }
    out.ensure(10 + MINIBLOCKS + BLOCK * 8 + 8);
    out.putZigzag(min);
    int widths = out.size;
    out.size += MINIBLOCKS;
    for (int mini = 0; mini < MINIBLOCKS; mini++) {
      long or = 0;
      for (int i = mini * MINIBLOCK; i < (mini + 1) * MINIBLOCK; i++) {
        or |= d[i];
      }
      int width = width(or);
      out.bytes[widths + mini] = (byte) width;
      pack(d, mini * MINIBLOCK, width, out.bytes, out.size);
      out.size += width * MINIBLOCK / 8;
    }
  }

  /**
   * Returns whether a block of positive deltas is shorter with 0 as its min_delta.
   *
   * @param smallest the smallest delta, which was subtracted from all
   */
  private boolean isShorterWithZero(long smallest, int count) {
    long[] d = deltas;
    int bytes = (width(smallest << 1) + 6) / 7 - 1;
    for (int from = 0; from < count && bytes > 0; from += MINIBLOCK) {
      long or = 0;
      long orWithZero = 0;
      for (int i = from; i < Math.min(count, from + MINIBLOCK); i++) {
        or |= d[i];
        orWithZero |= d[i] + smallest;
      }
      bytes -= (width(orWithZero) - width(or)) * MINIBLOCK / 8;
    }
    return bytes > 0;
  }

  private static int width(long number) {
    return Long.SIZE - Long.numberOfLeadingZeros(number);
  }

  private static void pack(long[] d, int from, int width, byte[] target, int position) {
    if (width == 0) {
      return;
    }
    long word = 0;
    int bits = 0;
    int at = position;
    for (int i = from; i < from + MINIBLOCK; i++) {
      long value = d[i];
      word |= value << bits;
      bits += width;
      if (bits >= 64) {
        LittleEndian.putLong(target, at, word);
        at += 8;
        bits -= 64;
        word = bits == 0 ? 0 : value >>> (width - bits);
      }
    }
    if (bits > 0) {
      LittleEndian.putInt(target, at, (int) word);
    }
  }

  /**
   * Decodes exactly {@code count} values. The array must have 16 more bytes behind {@code end},
   * with any contents.
   *
   * @return the position behind the last byte
   */
  public static int decode(
      byte[] bytes, int from, int end, boolean narrow, long[] into, int at, int count)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    long last = header(cursor, count);
    if (count == 0) {
      return cursor.position();
    }
    into[at] = last;
    int done = at + 1;
    int stop = at + count;
    while (done < stop) {
      long min = cursor.zigzag();
      int widths = cursor.position();
      cursor.skip(MINIBLOCKS);
      int mini = 0;
      while (mini < MINIBLOCKS && done < stop) {
        int width = width(bytes[widths + mini]);
        int alike = mini + 1;
        while (alike < MINIBLOCKS && bytes[widths + alike] == width) {
          alike++;
        }
        int position = cursor.position();
        int values = Math.min((alike - mini) * MINIBLOCK, stop - done);
        cursor.skip((values + MINIBLOCK - 1) / MINIBLOCK * (width * (MINIBLOCK / 8L)));
        last = unpack(bytes, position, width, min, last, into, done, values);
        done += values;
        mini = alike;
      }
    }
    if (narrow) {
      for (int i = at; i < stop; i++) {
        into[i] = (int) into[i];
      }
    }
    return cursor.position();
  }

  /**
   * Decodes the values at some positions of exactly {@code count} values. Only the sum of deltas is
   * computed for a miniblock without such positions. This is fast if deltas are 0 or 1, as in the
   * segment column. Bytes behind the miniblock of the last position are not read.
   */
  public void decodeAt(
      byte[] bytes, int from, int end, boolean narrow, int count, RowIndices positions, long[] into)
      throws MalformedPageException {
    ByteCursor cursor = new ByteCursor(bytes, from, end);
    long last = header(cursor, count);
    int i = 0;
    for (; i < positions.count && positions.at[i] == 0; i++) {
      into[i] = narrow ? (int) last : last;
    }
    for (int done = 1; i < positions.count; ) {
      long min = cursor.zigzag();
      int widths = cursor.position();
      cursor.skip(MINIBLOCKS);
      for (int mini = 0; mini < MINIBLOCKS && i < positions.count; mini++) {
        int width = width(bytes[widths + mini]);
        int position = cursor.position();
        cursor.skip(width * (MINIBLOCK / 8L));
        if (positions.at[i] >= done + MINIBLOCK && width <= 1) {
          int ones = width == 0 ? 0 : Integer.bitCount(LittleEndian.getInt(bytes, position));
          last += min * MINIBLOCK + ones;
        } else {
          last = unpack(bytes, position, width, min, last, deltas, 0, MINIBLOCK);
          for (; i < positions.count && positions.at[i] < done + MINIBLOCK; i++) {
            long value = deltas[positions.at[i] - done];
            into[i] = narrow ? (int) value : value;
          }
        }
        done += MINIBLOCK;
      }
    }
  }

  private static long header(ByteCursor cursor, int count) throws MalformedPageException {
    expect("delta block of values", cursor.varint(), BLOCK);
    expect("miniblocks", cursor.varint(), MINIBLOCKS);
    expect("values", cursor.varint(), count);
    return cursor.zigzag();
  }

  private static int width(byte width) throws MalformedPageException {
    if (width < 0 || width > 64) {
      throw new MalformedPageException("bit width " + width, "0 to 64");
    }
    return width;
  }

  /** Unpacks values of one width, eight at a time and the remaining values one by one. */
  private static long unpack(
      byte[] bytes,
      int position,
      int width,
      long min,
      long before,
      long[] into,
      int at,
      int count) {
    int whole = width > 0 && width <= DeltaWidths.WIDEST ? count & ~7 : 0;
    long last = before;
    if (whole > 0) {
      last = DeltaWidths.unpack(bytes, position, width, min, last, into, at, whole / 8);
    }
    int rest = position + whole / 8 * width;
    return unpackEach(bytes, rest, width, min, last, into, at + whole, count - whole);
  }

  private static long unpackEach(
      byte[] bytes,
      int position,
      int width,
      long min,
      long before,
      long[] into,
      int at,
      int count) {
    long last = before;
    if (width == 0) {
      for (int i = at; i < at + count; i++) {
        last += min;
        into[i] = last;
      }
    } else if (width <= 57) {
      // A value begins at one of the first 8 bits of a byte, so one load of 8 bytes contains all of
      // it.
      long mask = (1L << width) - 1;
      int bit = 0;
      for (int i = at; i < at + count; i++) {
        long word = LittleEndian.getLong(bytes, position + (bit >>> 3));
        last += min + (word >>> (bit & 7) & mask);
        into[i] = last;
        bit += width;
      }
    } else {
      long mask = -1L >>> (64 - width);
      int bit = 0;
      for (int i = at; i < at + count; i++) {
        int place = position + (bit >>> 3);
        int shift = bit & 7;
        long low = LittleEndian.getLong(bytes, place) >>> shift;
        long high = (bytes[place + 8] & 0xFFL) << 1 << (63 - shift);
        last += min + ((low | high) & mask);
        into[i] = last;
        bit += width;
      }
    }
    return last;
  }

  private static void expect(String what, long found, long expected) throws MalformedPageException {
    if (found != expected) {
      throw new MalformedPageException(found + " " + what, Long.toString(expected));
    }
  }
}
