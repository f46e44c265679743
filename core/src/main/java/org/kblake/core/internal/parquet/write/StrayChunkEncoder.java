package org.kblake.core.internal.parquet.write;

import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.read.ScalarLevels;

/**
 * Encodes the stray column as runs of booleans, never compressed.
 *
 * <pre>
 *   length (4 bytes) | runs of 1 bit, {@link HybridEncoding}
 * </pre>
 *
 * <p>Files for Spark have bits instead, eight to a byte, the first in the lowest bit, compressed.
 */
final class StrayChunkEncoder {

  private final EventFileSchema schema;
  private final EncodingChoice choice;
  private final ByteOutput body = new ByteOutput(1 << 10);
  private final ByteOutput compressed = new ByteOutput(0);
  private final int[] levels = new int[EventFormat.PAGE_ROWS];

  StrayChunkEncoder(WriteProfile profile, EventFileSchema schema) {
    this.schema = schema;
    choice =
        profile.annotated()
            ? EncodingChoice.uncompressed(ColumnEncoding.RLE)
            : new EncodingChoice(ColumnEncoding.PLAIN, profile.codec(), false);
  }

  EncodedColumn encode(byte[] stray, boolean constant, int[] pageRows, ByteOutput out) {
    ChunkWriter chunk =
        new ChunkWriter(out, schema, EventColumn.STRAY, choice, pageRows, compressed);
    ChunkStatistics<Boolean> statistics =
        new ChunkStatistics<>(Boolean::compare, flag -> new byte[] {(byte) (flag ? 1 : 0)});
    for (int page = 0; page + 1 < pageRows.length; page++) {
      int from = pageRows[page];
      int count = pageRows[page + 1] - from;
      int or = 0;
      int and = 1;
      for (int i = 0; i < count; i++) {
        levels[i] = stray[from + i];
        or |= levels[i];
        and &= levels[i];
      }
      body.reset();
      if (choice.encoding() == ColumnEncoding.PLAIN) {
        putBits(count);
      } else {
        ScalarLevels.put(levels, count, 1, body);
      }
      chunk.page(body, count);
      statistics.addPage(and == 1, or == 1, 0);
    }
    return chunk.finish(statistics, constant ? Long.valueOf(stray[0]) : null);
  }

  private void putBits(int count) {
    for (int from = 0; from < count; from += Byte.SIZE) {
      int bits = 0;
      for (int i = from; i < Math.min(count, from + Byte.SIZE); i++) {
        bits |= levels[i] << i - from;
      }
      body.write(bits);
    }
  }
}
