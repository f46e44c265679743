package org.kblake.core.internal.parquet.read;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import net.jpountz.lz4.LZ4Factory;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Codecs for the reader of parquet-java. Its own codecs need Hadoop. */
final class PlainCodecs implements CompressionCodecFactory {

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
      public void decompress(ByteBuffer input, int length, ByteBuffer output, int size)
          throws IOException {
        byte[] bytes = new byte[length];
        input.get(bytes);
        output.put(plain(codec, bytes, size));
      }

      @Override
      public void release() {}
    };
  }

  private static byte[] plain(CompressionCodecName codec, byte[] bytes, int size)
      throws IOException {
    if (codec == CompressionCodecName.LZ4_RAW) {
      return LZ4Factory.safeInstance().safeDecompressor().decompress(bytes, size);
    }
    if (codec == CompressionCodecName.ZSTD) {
      return Zstd.decompress(bytes, size);
    }
    if (codec == CompressionCodecName.GZIP) {
      try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
        return gzip.readAllBytes();
      }
    }
    return bytes;
  }

  @Override
  public void release() {}
}
