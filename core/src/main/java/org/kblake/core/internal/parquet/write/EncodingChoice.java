package org.kblake.core.internal.parquet.write;

import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.file.ColumnEncoding;

/**
 * The encoding and compression of the pages of a chunk.
 *
 * @param thorough whether to compress slower and better
 */
public record EncodingChoice(ColumnEncoding encoding, Codec codec, boolean thorough) {

  static EncodingChoice uncompressed(ColumnEncoding encoding) {
    return new EncodingChoice(encoding, Codec.NONE, false);
  }
}
