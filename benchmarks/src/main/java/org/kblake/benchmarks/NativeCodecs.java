package org.kblake.benchmarks;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/**
 * The codecs of kblake for parquet-java's reader, so that the comparison is one of decoding only.
 */
final class NativeCodecs implements CompressionCodecFactory {

  private static final LZ4SafeDecompressor LZ4 = LZ4Factory.fastestInstance().safeDecompressor();

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("only for reading");
  }

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return new BytesInputDecompressor() {
      @Override
      public BytesInput decompress(BytesInput bytes, int size) throws IOException {
        return BytesInput.from(plain(codec, bytes.toInputStream().readAllBytes(), size));
      }

      @Override
      public void decompress(ByteBuffer input, int length, ByteBuffer output, int size) {
        byte[] bytes = new byte[length];
        input.get(bytes);
        output.put(plain(codec, bytes, size));
      }

      @Override
      public void release() {}
    };
  }

  private static byte[] plain(CompressionCodecName codec, byte[] bytes, int size) {
    return switch (codec) {
      case LZ4_RAW -> LZ4.decompress(bytes, size);
      case ZSTD -> Zstd.decompress(bytes, size);
      case UNCOMPRESSED -> bytes;
      default -> throw new IllegalArgumentException("kblake does not write this codec: " + codec);
    };
  }

  @Override
  public void release() {}
}
