package org.kblake.core.internal.parquet.encoding;

import java.util.Arrays;

/**
 * The ascending indices of the rows of a page, or of its values, that are decoded while others are
 * skipped. Reusable. The fields are public for speed.
 */
public final class RowIndices {

  public int[] at = new int[64];
  public int count;

  public void clear() {
    count = 0;
  }

  /** Adds an index that is larger than all previous ones. */
  public void add(int position) {
    if (count == at.length) {
      at = Arrays.copyOf(at, 2 * count);
    }
    at[count++] = position;
  }

  /** Reverses the order of the indices, for a caller that added them in descending order. */
  public void reverse() {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
      int position = at[i];
      at[i] = at[j];
      at[j] = position;
    }
  }

  public int count() {
    return count;
  }

  /** Returns the element at a position of the list. */
  public int get(int index) {
    return at[index];
  }
}
