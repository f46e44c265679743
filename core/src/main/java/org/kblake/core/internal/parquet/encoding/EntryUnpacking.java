package org.kblake.core.internal.parquet.encoding;

/**
 * Unpacks dictionary indices, eight at a time, and looks their entries up. A method for each width,
 * for the reason that {@link DeltaUnpacking} has them.
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

  /** The widest indices that have a method. */
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
      case 1 -> width1(bytes, place, largest, entries, into, at, groups);
      case 2 -> width2(bytes, place, largest, entries, into, at, groups);
      case 3 -> width3(bytes, place, largest, entries, into, at, groups);
      case 4 -> width4(bytes, place, largest, entries, into, at, groups);
      case 5 -> width5(bytes, place, largest, entries, into, at, groups);
      case 6 -> width6(bytes, place, largest, entries, into, at, groups);
      case 7 -> width7(bytes, place, largest, entries, into, at, groups);
      case 8 -> width8(bytes, place, largest, entries, into, at, groups);
      case 9 -> width9(bytes, place, largest, entries, into, at, groups);
      case 10 -> width10(bytes, place, largest, entries, into, at, groups);
      case 11 -> width11(bytes, place, largest, entries, into, at, groups);
      case 12 -> width12(bytes, place, largest, entries, into, at, groups);
      case 13 -> width13(bytes, place, largest, entries, into, at, groups);
      case 14 -> width14(bytes, place, largest, entries, into, at, groups);
      case 15 -> width15(bytes, place, largest, entries, into, at, groups);
      case 16 -> width16(bytes, place, largest, entries, into, at, groups);
      default -> throw new IllegalArgumentException("no such width: " + width);
    };
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

  private static int outcome(int width, long beyond) {
    return (beyond & (1L << width | 1L << 3 * width)) == 0 ? 0 : -1;
  }

  private static int width1(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(1, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 1, 1, room, entries, into, at + 8 * i);
    }
    return outcome(1, beyond);
  }

  private static int width2(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(2, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 2, 2, room, entries, into, at + 8 * i);
    }
    return outcome(2, beyond);
  }

  private static int width3(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(3, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 3, 3, room, entries, into, at + 8 * i);
    }
    return outcome(3, beyond);
  }

  private static int width4(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(4, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 4, 4, room, entries, into, at + 8 * i);
    }
    return outcome(4, beyond);
  }

  private static int width5(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(5, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 5, 5, room, entries, into, at + 8 * i);
    }
    return outcome(5, beyond);
  }

  private static int width6(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(6, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 6, 6, room, entries, into, at + 8 * i);
    }
    return outcome(6, beyond);
  }

  private static int width7(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(7, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 7, 7, room, entries, into, at + 8 * i);
    }
    return outcome(7, beyond);
  }

  private static int width8(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(8, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 8, 8, room, entries, into, at + 8 * i);
    }
    return outcome(8, beyond);
  }

  private static int width9(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(9, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 9, 9, room, entries, into, at + 8 * i);
    }
    return outcome(9, beyond);
  }

  private static int width10(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(10, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 10, 10, room, entries, into, at + 8 * i);
    }
    return outcome(10, beyond);
  }

  private static int width11(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(11, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 11, 11, room, entries, into, at + 8 * i);
    }
    return outcome(11, beyond);
  }

  private static int width12(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(12, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 12, 12, room, entries, into, at + 8 * i);
    }
    return outcome(12, beyond);
  }

  private static int width13(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(13, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 13, 13, room, entries, into, at + 8 * i);
    }
    return outcome(13, beyond);
  }

  private static int width14(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(14, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 14, 14, room, entries, into, at + 8 * i);
    }
    return outcome(14, beyond);
  }

  private static int width15(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(15, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 15, 15, room, entries, into, at + 8 * i);
    }
    return outcome(15, beyond);
  }

  private static int width16(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    long room = room(16, largest);
    long beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 16, 16, room, entries, into, at + 8 * i);
    }
    return outcome(16, beyond);
  }
}
