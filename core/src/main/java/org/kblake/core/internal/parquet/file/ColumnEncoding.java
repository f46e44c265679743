package org.kblake.core.internal.parquet.file;

import org.apache.parquet.format.Encoding;

/** The encodings of the values of a column chunk, before compression. */
public enum ColumnEncoding {
  PLAIN(Encoding.PLAIN),
  RLE(Encoding.RLE),
  DICTIONARY(Encoding.RLE_DICTIONARY),
  DELTA(Encoding.DELTA_BINARY_PACKED),
  DELTA_LENGTH(Encoding.DELTA_LENGTH_BYTE_ARRAY),
  BYTE_STREAM_SPLIT(Encoding.BYTE_STREAM_SPLIT);

  private final Encoding parquet;

  ColumnEncoding(Encoding parquet) {
    this.parquet = parquet;
  }

  public Encoding parquet() {
    return parquet;
  }
}
