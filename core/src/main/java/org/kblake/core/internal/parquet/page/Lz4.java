package org.kblake.core.internal.parquet.page;

import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The fastest raw LZ4 codec of this machine. Without the native library reads are several times
 * slower. {@code -Dkblake.lz4=java} leaves it out: to load it takes a short command longer than it
 * saves.
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
    if ("java".equals(System.getProperty("kblake.lz4"))) {
      return LZ4Factory.safeInstance();
    }
    return NativeLibrary.orJava("LZ4", LZ4Factory::nativeInstance, LZ4Factory::fastestJavaInstance);
  }
}
