package org.kblake.core.internal.parquet.encoding;

import java.util.Arrays;

/**
 * The distinct values of a chunk in order of appearance. A hash table with open addressing.
 * Reusable.
 */
public final class LongDictionary {

  private static final int USUAL_VALUES = 512;

  private int[] slots;
  private int mask;

  /** The distinct values. */
  public long[] entries;

  /** The number of distinct values. */
  public int size;

  /** The index of each value given last. */
  public int[] indices = new int[0];

  /** Creates an empty dictionary with memory for as many values as are usual. */
  public LongDictionary() {
    this(USUAL_VALUES);
  }

  /**
   * Creates an empty dictionary, which grows.
   *
   * @param values the values that it has memory for, a power of two
   */
  public LongDictionary(int values) {
    entries = new long[values];
    slots = new int[2 * values];
    mask = slots.length - 1;
  }

  /**
   * Finds the distinct values of {@code values[0, count)}.
   *
   * @param limit the largest number of distinct values
   * @return false if there are more
   */
  public boolean build(long[] values, int count, int limit) {
    clear();
    return extend(values, count, limit);
  }

  /** Removes all values. */
  private void clear() {
    Arrays.fill(slots, 0);
    size = 0;
  }

  /**
   * Adds the distinct values of {@code values[0, count)}.
   *
   * @param limit the largest number of distinct values, those added before included
   * @return false if there are more, and then some of them were added
   */
  public boolean extend(long[] values, int count, int limit) {
    if (indices.length < count) {
      indices = new int[count];
    }
    int[] into = indices;
    long last = 0;
    int lastIndex = -1;
    for (int i = 0; i < count; i++) {
      long value = values[i];
      if (value != last || lastIndex < 0) {
        lastIndex = index(value);
        last = value;
        if (size > limit) {
          return false;
        }
      }
      into[i] = lastIndex;
    }
    return true;
  }

  private int index(long value) {
    int slot = slot(value);
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (entries[index] == value) {
        return index;
      }
      slot = (slot + 1) & mask;
    }
    if (size == entries.length) {
      grow();
      return index(value);
    }
    entries[size++] = value;
    slots[slot] = size;
    return size - 1;
  }

  private void grow() {
    entries = Arrays.copyOf(entries, 2 * size);
    slots = new int[4 * size];
    mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = slot(entries[i]);
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }

  /**
   * Returns the first slot to try. Only the upper bits of the product depend on all bits of the
   * value: the lower bits of a double with few digits are zeros.
   */
  int slot(long value) {
    return (int) (value * 0x9E37_79B9_7F4A_7C15L >>> Long.numberOfLeadingZeros(mask));
  }
}
