package org.kblake.core.internal.parquet.encoding;

import java.util.Arrays;

/**
 * Numbers that ascend: of rows of a page, or of values behind its levels, that are decoded while
 * those between them are skipped. Reusable; the array is open on purpose.
 */
public final class RowIndices {

  public int[] at = new int[64];
  public int count;

  public void clear() {
    count = 0;
  }

  /** Adds a position behind all added before. */
  public void add(int position) {
    if (count == at.length) {
      at = Arrays.copyOf(at, 2 * count);
    }
    at[count++] = position;
  }

  /** Turns positions that were added from the last to the first. */
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

  /** A position, by its index. */
  public int get(int index) {
    return at[index];
  }
}
