package org.kblake.cli.command.shared;

import java.util.Locale;
import org.kblake.core.columns.Codec;

/** The compression of pages. The names are the option's values. */
public enum CodecName {
  none,
  lz4,
  gzip,
  zstd;

  public Codec codec() {
    return Codec.valueOf(name().toUpperCase(Locale.ROOT));
  }
}
