package org.kblake.core.internal.parquet.page;

import java.io.IOException;
import java.io.OutputStream;

/**
 * The fastest Zstandard of this machine. Without the native library, for example on a system for
 * which there is none, it is pure Java, and several times slower.
 */
public final class Zstandard {

  static final ZstdCodec CODEC = NativeLibrary.orJava("ZSTD", NativeZstd::new, JavaZstd::new);

  private Zstandard() {}

  /** Returns whether the native library is in use. */
  public static boolean isNative() {
    return CODEC instanceof NativeZstd;
  }

  /**
   * Returns a stream that compresses.
   *
   * @param out the output; it is closed with the result
   */
  public static OutputStream stream(OutputStream out) throws IOException {
    return CODEC.stream(out);
  }
}
