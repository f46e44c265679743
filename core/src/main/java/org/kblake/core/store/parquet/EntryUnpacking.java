package org.kblake.core.store.parquet;

/**
 * Unpacks dictionary indices, eight at a time, and looks their entries up. A method for each width,
 * for the reason that {@link DeltaUnpacking} has them.
 */
final class EntryUnpacking {

  /** The widest indices that have a method. */
  static final int WIDEST = 16;

  private EntryUnpacking() {}

  /**
   * Unpacks groups of eight. Their bytes are there, and 4 more behind them, of whatever content.
   *
   * @param width 1 to {@link #WIDEST}
   * @param largest index that may be
   * @param entries as many as indices of the width can name, whatever the largest
   * @return below 0 if an index is larger than that; what became of it is of no use then
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

  private static int eight(
      byte[] bytes, int place, int width, int largest, long[] entries, long[] into, int at) {
    int a = index(bytes, place, 0, width);
    int b = index(bytes, place, width, width);
    int c = index(bytes, place, 2 * width, width);
    int d = index(bytes, place, 3 * width, width);
    int beyond = largest - a | largest - b | largest - c | largest - d;
    into[at] = entries[a];
    into[at + 1] = entries[b];
    into[at + 2] = entries[c];
    into[at + 3] = entries[d];
    a = index(bytes, place, 4 * width, width);
    b = index(bytes, place, 5 * width, width);
    c = index(bytes, place, 6 * width, width);
    d = index(bytes, place, 7 * width, width);
    into[at + 4] = entries[a];
    into[at + 5] = entries[b];
    into[at + 6] = entries[c];
    into[at + 7] = entries[d];
    return beyond | largest - a | largest - b | largest - c | largest - d;
  }

  private static int index(byte[] bytes, int place, int bit, int width) {
    return LittleEndian.getInt(bytes, place + (bit >>> 3)) >>> (bit & 7) & (1 << width) - 1;
  }

  private static int width1(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 1, 1, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width2(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 2, 2, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width3(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 3, 3, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width4(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 4, 4, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width5(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 5, 5, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width6(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 6, 6, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width7(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 7, 7, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width8(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 8, 8, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width9(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 9, 9, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width10(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 10, 10, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width11(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 11, 11, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width12(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 12, 12, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width13(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 13, 13, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width14(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 14, 14, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width15(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 15, 15, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }

  private static int width16(
      byte[] bytes, int place, int largest, long[] entries, long[] into, int at, int groups) {
    int beyond = 0;
    for (int i = 0; i < groups; i++) {
      beyond |= eight(bytes, place + i * 16, 16, largest, entries, into, at + 8 * i);
    }
    return beyond;
  }
}
