package org.kblake.core.internal.parquet.encoding;

/**
 * Unpacks dictionary indices, eight at a time, and looks their entries up. Each width is a constant
 * where the loop is called, so that shifts and masks are constants once it is compiled.
 *
 * <p>Four indices of up to 16 bits are one word. That none is too large is seen in two additions
 * for the four of them: to each is added what the largest lacks to all ones, and the bit above it
 * is set if it was more than that. The entries are as many as an index can name, so that the
 * compiler knows that a masked one is among them: without that it has to keep everything at hand
 * that it needs to leave the loop at each of them, and has no registers left.
 *
 * <pre>
 *   first and third:    0 .. 0 | index 2 | 0 .. 0 | index 0    + room | room
 *   second and fourth:  0 .. 0 | index 3 | 0 .. 0 | index 1    + room | room
 * </pre>
 */
final class EntryUnpacking {

  /** The widest indices that are unpacked here. */
  static final int WIDEST = 16;

  private EntryUnpacking() {}

  /**
   * Unpacks groups of eight. Their bytes are there, and 8 more behind them, of whatever content.
   *
   * @param width 1 to {@link #WIDEST}
   * @param largest index that may be
   * @param entries exactly as many as indices of the width can address, for any largest index
   * @return below 0 if an index is larger than that; the kind is of no use then
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
      default -> throw new IllegalArgumentException("no such width: " + width);
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

  /** What the largest lacks to all ones, where the first and the third of four indices are. */
  private static long room(int width, int largest) {
    long room = (1L << width) - 1 - largest;
    return room | room << 2 * width;
  }
}
