package org.kblake.cli.command;

import java.util.Locale;
import org.kblake.core.store.parquet.Codec;

/** How pages are compressed; the names are the option's values. */
enum CodecName {
  none,
  lz4,
  gzip,
  zstd;

  Codec codec() {
    return Codec.valueOf(name().toUpperCase(Locale.ROOT));
  }
}
