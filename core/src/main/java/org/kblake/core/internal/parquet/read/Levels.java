package org.kblake.core.internal.parquet.read;

import org.kblake.core.internal.parquet.encoding.ByteOutput;

/** The definition and repetition levels of a value column, page by page. */
public interface Levels {

  /** Appends a page's levels in front of its values. */
  void put(int page, ByteOutput body);

  /**
   * Returns the number of level entries of a page. For scalars it is the number of rows. For
   * waveforms it is the number of elements plus the number of rows without elements.
   */
  int entries(int page);

  /** Returns the number of entries of a page that have no value. */
  default int nulls(int page) {
    return entries(page) - (valueStarts()[page + 1] - valueStarts()[page]);
  }

  /**
   * Returns the index of each page's first value in the chunk, and as the last element the number
   * of values.
   */
  int[] valueStarts();
}
