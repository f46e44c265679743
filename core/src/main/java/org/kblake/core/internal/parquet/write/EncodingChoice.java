package org.kblake.core.internal.parquet.write;

import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.page.Codec;

/**
 * How the pages of a chunk are encoded and compressed.
 *
 * @param thorough whether the codec takes more time to compress
 */
public record EncodingChoice(ColumnEncoding encoding, Codec codec, boolean thorough) {

  static EncodingChoice uncompressed(ColumnEncoding encoding) {
    return new EncodingChoice(encoding, Codec.NONE, false);
  }
}
