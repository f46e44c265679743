package org.kblake.core.internal.parquet.read;

import org.kblake.core.internal.parquet.encoding.ByteOutput;

/** The definition and repetition levels of a value column, page by page. */
public interface Levels {

  /** Appends a page's levels in front of its values. */
  void put(int page, ByteOutput body);

  /** Level entries of a page: rows of scalars; elements and rows without any of waveforms. */
  int entries(int page);

  /** Entries of a page without a value. */
  default int nulls(int page) {
    return entries(page) - (valueStarts()[page + 1] - valueStarts()[page]);
  }

  /** Where each page's values begin among the chunk's, and their number at last. */
  int[] valueStarts();
}
