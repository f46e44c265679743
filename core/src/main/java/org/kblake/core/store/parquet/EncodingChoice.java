package org.kblake.core.store.parquet;

/**
 * How the pages of a chunk are encoded and compressed.
 *
 * @param thorough whether the codec takes more time to compress
 */
record EncodingChoice(ColumnEncoding encoding, Codec codec, boolean thorough) {

  static EncodingChoice uncompressed(ColumnEncoding encoding) {
    return new EncodingChoice(encoding, Codec.NONE, false);
  }
}
