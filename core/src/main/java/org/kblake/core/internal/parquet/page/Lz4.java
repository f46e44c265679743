package org.kblake.core.internal.parquet.page;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.kblake.core.internal.start.ColdStart;

/**
 * The fastest raw LZ4 codec of this machine. Without the native library reads are several times
 * slower.
 */
final class Lz4 {

  /** Higher levels hardly make event columns smaller. */
  private static final int HIGH_LEVEL = 9;

  private static final LZ4Factory FACTORY = factory();

  static final LZ4Compressor FAST = FACTORY.fastCompressor();
  static final LZ4Compressor HIGH = FACTORY.highCompressor(HIGH_LEVEL);
  static final LZ4SafeDecompressor DECOMPRESSOR = FACTORY.safeDecompressor();

  /** Whether the native library decompresses. */
  static final boolean IS_NATIVE = FACTORY.toString().contains("JNI");

  private Lz4() {}

  private static LZ4Factory factory() {
    if (ColdStart.isExpected()) {
      // The native library saves no time here, and its temporary file would remain when the process
      // halts.
      return LZ4Factory.safeInstance();
    }
    return NativeLibrary.orJava("LZ4", LZ4Factory::nativeInstance, LZ4Factory::fastestJavaInstance);
  }
}
