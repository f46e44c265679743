package org.kblake.core.internal.parquet.encoding;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Decodes many values of BYTE_STREAM_SPLIT at a time. A long contains the first bytes of eight
 * values. A row of longs contains the first bytes of all values, the next row the second bytes, and
 * so on. A column of longs is one of the matrices that {@link ByteStreamSplit} transposes one by
 * one. Here each step of the transposition is done for all columns in a loop over two rows, which
 * compiles to vector instructions. Reusable, not thread safe.
 *
 * <pre>
 *   rows   first bytes:  long of values 0 to 7 | of 8 to 15 | .. | COLUMNS of them
 *          second bytes: ..
 * </pre>
 */
public final class SplitBytes {

  /**
   * The number of longs in a row. All rows together are 4 KiB, and stay in the first-level cache.
   */
  private static final int COLUMNS = 64;

  private static final int VALUES = 8 * COLUMNS;

  private static final long PAIRS = 0x00FF_00FF_00FF_00FFL;
  private static final long QUADS = 0x0000_FFFF_0000_FFFFL;
  private static final long HALVES = 0x0000_0000_FFFF_FFFFL;

  private final long[] rows = new long[8 * COLUMNS];

  /**
   * Decodes values. Values of 4 bytes are sign-extended.
   *
   * @param from the position of the first byte of the first value; the array contains all bytes of
   *     the values
   * @param width bytes of a value, 4 or 8
   * @param count the number of values
   */
  public void decode(byte[] bytes, int from, int width, long[] into, int at, int count) {
    int done = 0;
    if (width == 8) {
      ByteBuffer split = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      for (; done + VALUES <= count; done += VALUES) {
        for (int row = 0; row < 8; row++) {
          split.position(from + row * count + done);
          split.asLongBuffer().get(rows, row * COLUMNS, COLUMNS);
        }
        transpose(rows);
        put(rows, into, at + done);
      }
    }
    ByteStreamSplit.decode(bytes, from, width, into, at, done, count);
  }

  /** Performs all steps of the transposition except the last, which {@link #put} performs. */
  private static void transpose(long[] rows) {
    swap(rows, 0, COLUMNS, 8, PAIRS);
    swap(rows, 2 * COLUMNS, COLUMNS, 8, PAIRS);
    swap(rows, 4 * COLUMNS, COLUMNS, 8, PAIRS);
    swap(rows, 6 * COLUMNS, COLUMNS, 8, PAIRS);
    swap(rows, 0, 2 * COLUMNS, 16, QUADS);
    swap(rows, COLUMNS, 2 * COLUMNS, 16, QUADS);
    swap(rows, 4 * COLUMNS, 2 * COLUMNS, 16, QUADS);
    swap(rows, 5 * COLUMNS, 2 * COLUMNS, 16, QUADS);
  }

  /**
   * Exchanges the upper halves of one row with the lower halves of the row at a distance behind it.
   */
  private static void swap(long[] rows, int row, int distance, int shift, long mask) {
    for (int i = row; i < row + COLUMNS; i++) {
      long low = rows[i];
      long high = rows[i + distance];
      long difference = ((low >>> shift) ^ high) & mask;
      rows[i] = low ^ (difference << shift);
      rows[i + distance] = high ^ difference;
    }
  }

  private static void put(long[] rows, long[] into, int at) {
    for (int i = 0; i < COLUMNS; i++) {
      int value = at + 8 * i;
      for (int row = 0; row < 4; row++) {
        long low = rows[row * COLUMNS + i];
        long high = rows[(row + 4) * COLUMNS + i];
        into[value + row] = (low & HALVES) | (high << 32);
        into[value + row + 4] = (low >>> 32) | (high & ~HALVES);
      }
    }
  }
}
