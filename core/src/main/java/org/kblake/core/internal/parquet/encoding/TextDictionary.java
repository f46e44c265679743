package org.kblake.core.internal.parquet.encoding;

import java.util.Arrays;

/**
 * The distinct texts of a chunk in order of appearance. A hash table with open addressing.
 * Reusable.
 */
public final class TextDictionary {

  private int[] slots = new int[256];
  private int mask = slots.length - 1;

  /** The index of the first element with each distinct text. */
  public int[] entries = new int[128];

  /** The number of distinct texts. */
  public int size;

  /** The index of each element's text. */
  public int[] indices = new int[0];

  /**
   * Finds the distinct texts of {@code count} elements.
   *
   * @param starts the index of each element's first byte, and the end of the last element
   * @param limit the largest number of distinct texts
   * @return false if there are more
   */
  public boolean build(byte[] text, int[] starts, int count, int limit) {
    Arrays.fill(slots, 0);
    size = 0;
    if (indices.length < count) {
      indices = new int[count];
    }
    for (int i = 0; i < count; i++) {
      indices[i] = index(text, starts, i);
      if (size > limit) {
        return false;
      }
    }
    return true;
  }

  private int index(byte[] text, int[] starts, int element) {
    int slot = hash(text, starts, element) & mask;
    while (slots[slot] != 0) {
      int index = slots[slot] - 1;
      if (equal(text, starts, entries[index], element)) {
        return index;
      }
      slot = (slot + 1) & mask;
    }
    if (size == entries.length) {
      grow(text, starts);
      return index(text, starts, element);
    }
    entries[size++] = element;
    slots[slot] = size;
    return size - 1;
  }

  private void grow(byte[] text, int[] starts) {
    entries = Arrays.copyOf(entries, 2 * size);
    slots = new int[4 * size];
    mask = slots.length - 1;
    for (int i = 0; i < size; i++) {
      int slot = hash(text, starts, entries[i]) & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = i + 1;
    }
  }

  private static boolean equal(byte[] text, int[] starts, int a, int b) {
    return Arrays.equals(text, starts[a], starts[a + 1], text, starts[b], starts[b + 1]);
  }

  private static int hash(byte[] text, int[] starts, int element) {
    int hash = 1;
    for (int i = starts[element]; i < starts[element + 1]; i++) {
      hash = 31 * hash + text[i];
    }
    return hash ^ (hash >>> 15);
  }
}
