package org.kblake.core.internal.parquet.encoding;

/**
 * Unpacks dictionary indices, eight at a time, and looks up their entries. The calls pass each
 * width as a constant, so that the compiled code has constant shifts and masks.
 *
 * <p>Four indices of up to 16 bits are read as one word. Two additions check four indices: each
 * index is increased by the difference between a value of all ones and the largest valid index. The
 * bit above the index is set if the index was too large. The array of entries has exactly as many
 * elements as the width can address, so that the compiler removes the bounds checks of masked
 * indices. With bounds checks it runs out of registers, because it must keep the state for leaving
 * the loop at each access.
 *
 * <pre>
 *   first and third:    0 .. 0 | index 2 | 0 .. 0 | index 0    + room | room
 *   second and fourth:  0 .. 0 | index 3 | 0 .. 0 | index 1    + room | room
 * </pre>
 */
final class EntryUnpacking {

  /** The largest width of an index in bits. */
  static final int WIDEST = 16;

  private EntryUnpacking() {}

  /**
   * Unpacks groups of eight. The array must have 8 more bytes behind them, with any contents.
   *
   * @param width 1 to {@link #WIDEST}
   * @param largest the largest valid index
   * @param entries the dictionary's entries, in an array of exactly 2^width elements
   * @return a negative number if an index is larger than {@code largest}, and then {@code into} is
   *     not valid
   */
  static int unpack(
      byte[] bytes,
      int place,
      int width,
      int largest,
      long[] entries,
      long[] into,
      int at,
      int groups) {
    if (entries.length != 1 << width) {
      throw new IllegalArgumentException(entries.length + " entries of " + width + " bits");
    }
    return switch (width) {
      case 1 -> groups(bytes, place, 1, largest, entries, into, at, groups);
      case 2 -> groups(bytes, place, 2, largest, entries, into, at, groups);
      case 3 -> groups(bytes, place, 3, largest, entries, into, at, groups);
      case 4 -> groups(bytes, place, 4, largest, entries, into, at, groups);
      case 5 -> groups(bytes, place, 5, largest, entries, into, at, groups);
      case 6 -> groups(bytes, place, 6, largest, entries, into, at, groups);
      case 7 -> groups(bytes, place, 7, largest, entries, into, at, groups);
      case 8 -> groups(bytes, place, 8, largest, entries, into, at, groups);
      case 9 -> groups(bytes, place, 9, largest, entries, into, at, groups);
      case 10 -> groups(bytes, place, 10, largest, entries, into, at, groups);
      case 11 -> groups(bytes, place, 11, largest, entries, into, at, groups);
      case 12 -> groups(bytes, place, 12, largest, entries, into, at, groups);
      case 13 -> groups(bytes, place, 13, largest, entries, into, at, groups);
      case 14 -> groups(bytes, place, 14, largest, entries, into, at, groups);
      case 15 -> groups(bytes, place, 15, largest, entries, into, at, groups);
      case 16 -> groups(bytes, place, 16, largest, entries, into, at, groups);
      default -> throw new IllegalArgumentException("width is not between 1 and 16: " + width);
    };
  }

  private static int groups(
      byte[] bytes,
      int place,
      int width,
      int largest,
      long[] entries,
      long[] into,
      int at,
      int groups) {
    long room = room(width, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * width, width, room, entries, into, at + 8 * i);
    }
    return (beyond & (1L << width | 1L << 3 * width)) == 0 ? 0 : -1;
  }

  private static long eight(
      byte[] bytes, int place, int width, long room, long[] entries, long[] into, int at) {
    int last = entries.length - 1;
    long mask = (1L << width) - 1;
    long pair = mask | mask << 2 * width;
    long four = LittleEndian.getLong(bytes, place);
    long beyond = (four & pair) + room | (four >>> width & pair) + room;
    into[at] = entries[(int) four & last];
    into[at + 1] = entries[(int) (four >>> width) & last];
    into[at + 2] = entries[(int) (four >>> 2 * width) & last];
    into[at + 3] = entries[(int) (four >>> 3 * width) & last];
    four = LittleEndian.getLong(bytes, place + (4 * width >>> 3)) >>> (4 * width & 7);
    into[at + 4] = entries[(int) four & last];
    into[at + 5] = entries[(int) (four >>> width) & last];
    into[at + 6] = entries[(int) (four >>> 2 * width) & last];
    into[at + 7] = entries[(int) (four >>> 3 * width) & last];
    return beyond | (four & pair) + room | (four >>> width & pair) + room;
  }

  /**
   * Returns the difference between all ones and the largest index, at the first and third of four
   * indices.
   */
  private static long room(int width, int largest) {
    long room = (1L << width) - 1 - largest;
    return room | room << 2 * width;
  }
}
