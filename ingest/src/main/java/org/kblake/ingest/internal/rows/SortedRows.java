package org.kblake.ingest.internal.rows;

import java.util.Arrays;

/**
 * The next rows of many series in log order, all of one segment. The rows of a series are added one
 * after the other, in their order in memory. Then keys are sorted, not rows. For one thread.
 *
 * <pre>
 *   KEY  time + lateness, since the begin, 40 bits | tie, 8 bits | number of the row, 15 bits
 * </pre>
 */
final class SortedRows {

  private static final int NUMBER_BITS = 15;
  private static final int TIE_BITS = 8;
  private static final int DIGIT_BITS = 10;
  private static final int DIGITS = 1 << DIGIT_BITS;
  private static final long MAX_OFFSET = (1L << 40) - 1;
  private static final long FIRST_WIDTH = 1L << 30;

  /** So many rows and their keys fit into a cache of the processor. */
  static final int MAX_ROWS = 1 << NUMBER_BITS;

  /** A greater tie does not fit into a key. */
  static final int MAX_TIE = (1 << TIE_BITS) - 1;

  private final RowCursor row;
  private final int[] series;
  private final long[] addresses;
  private final int[] counts = new int[DIGITS];
  private long[] keys;
  private long[] sorted;
  private int segment;
  private long beginNanos;
  private long width = FIRST_WIDTH;
  private long allKeys;
  private int size;
  private int at;
  private boolean disordered;

  SortedRows(ScatteredRows rows) {
    int most = (int) Math.min(MAX_ROWS, rows.rows());
    row = new RowCursor(rows);
    series = new int[most];
    addresses = new long[most];
    keys = new long[most];
    sorted = new long[most];
  }

  /** Removes all rows. Then rows of one segment can be added, from a time on. */
  void begin(int ofSegment, long fromNanos) {
    segment = ofSegment;
    beginNanos = fromNanos;
    allKeys = 0;
    size = 0;
    at = -1;
  }

  /**
   * Adds the rows of a series from its current row on, as long as their keys fit. The cursor is at
   * the first other row afterwards.
   *
   * @return whether the cursor is at a row
   */
  boolean add(int ofSeries, RowCursor cursor) {
    long lastNanos = Long.MIN_VALUE;
    int lastTie = -1;
    do {
      long nanos = cursor.timeNanos() + cursor.latenessNanos();
      long offset = nanos - beginNanos;
      int tie = cursor.tie();
      boolean sameSegment = cursor.segment() == segment;
      disordered |=
          sameSegment
              ? nanos < lastNanos || (nanos == lastNanos && tie <= lastTie)
              : cursor.segment() < segment;
      if (!sameSegment
          || offset < 0
          || offset > width
          || tie < 0
          || tie > MAX_TIE
          || size == keys.length) {
        return true;
      }
      long key = (offset << TIE_BITS | tie) << NUMBER_BITS | size;
      allKeys |= key;
      keys[size] = key;
      addresses[size] = cursor.address();
      series[size] = ofSeries;
      size++;
      lastNanos = nanos;
      lastTie = tie;
    } while (cursor.next());
    return false;
  }

  int size() {
    return size;
  }

  /**
   * Sorts the rows. {@link #next} moves to the first one.
   *
   * @param endsSegment whether no rows of the segment are left
   */
  void sort(boolean endsSegment) {
    if (size == keys.length) {
      width = Math.max(1, width / 2);
    } else if (!endsSegment && size < keys.length / 4) {
      width = Math.min(2 * width, MAX_OFFSET);
    }
    if (size < DIGITS) {
      Arrays.sort(keys, 0, size);
      return;
    }
    boolean ties = (allKeys >>> NUMBER_BITS & MAX_TIE) != 0;
    int shift = ties ? NUMBER_BITS : NUMBER_BITS + TIE_BITS;
    for (; shift < Long.SIZE && allKeys >>> shift != 0; shift += DIGIT_BITS) {
      sortByDigit(shift);
    }
  }

  /** Sorts the keys by some bits. Keys with the same bits stay in order. */
  private void sortByDigit(int shift) {
    Arrays.fill(counts, 0);
    for (int i = 0; i < size; i++) {
      counts[(int) (keys[i] >>> shift) & DIGITS - 1]++;
    }
    int start = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
      int count = counts[digit];
      counts[digit] = start;
      start += count;
    }
    for (int i = 0; i < size; i++) {
      long key = keys[i];
      sorted[counts[(int) (key >>> shift) & DIGITS - 1]++] = key;
    }
    long[] unsorted = keys;
    keys = sorted;
    sorted = unsorted;
  }

  /**
   * Moves to the next row.
   *
   * @return false if there is none
   */
  boolean next() {
    at++;
    return at < size;
  }

  /** Returns whether the rows of a series were not in log order. Then their keys are not valid. */
  boolean disordered() {
    return disordered;
  }

  long nanos() {
    return beginNanos + (keys[at] >>> NUMBER_BITS + TIE_BITS);
  }

  int tie() {
    return (int) (keys[at] >>> NUMBER_BITS) & MAX_TIE;
  }

  int series() {
    return series[(int) keys[at] & MAX_ROWS - 1];
  }

  int segment() {
    return segment;
  }

  /** Returns the cursor at the row, valid until the next row. */
  RowCursor row() {
    row.stand(addresses[(int) keys[at] & MAX_ROWS - 1]);
    return row;
  }
}
