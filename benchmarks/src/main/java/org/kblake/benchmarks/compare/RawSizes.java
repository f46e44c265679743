package org.kblake.benchmarks.compare;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * The sizes of logs, plain and compressed.
 *
 * @param log the size in bytes
 * @param lz4 the size in LZ4, in pages of 128 KiB, as on a compressing file system
 * @param zstd the size in Zstandard at level 19, each file as a whole
 */
record RawSizes(long log, long lz4, long zstd) {

  private static final int PAGE_BYTES = 128 << 10;
  private static final int ZSTD_LEVEL = 19;

  static RawSizes of(Path archive) throws IOException {
    long log = 0;
    long lz4 = 0;
    long zstd = 0;
    for (Path file : logs(archive)) {
      byte[] bytes = Files.readAllBytes(file);
      log += bytes.length;
      lz4 += lz4(bytes);
      zstd += Zstd.compress(bytes, ZSTD_LEVEL).length;
    }
    return new RawSizes(log, lz4, zstd);
  }

  private static List<Path> logs(Path archive) throws IOException {
    try (Stream<Path> files = Files.walk(archive)) {
      return files.filter(it -> it.toString().endsWith(".log2")).toList();
    }
  }

  /** Returns the compressed size. A page that does not become smaller is not compressed. */
  private static long lz4(byte[] bytes) {
    LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
    byte[] target = new byte[compressor.maxCompressedLength(PAGE_BYTES)];
    long sum = 0;
    for (int from = 0; from < bytes.length; from += PAGE_BYTES) {
      int length = Math.min(PAGE_BYTES, bytes.length - from);
      sum += Math.min(length, compressor.compress(bytes, from, length, target, 0));
    }
    return sum;
  }
}
