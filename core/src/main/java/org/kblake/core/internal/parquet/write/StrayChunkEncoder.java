package org.kblake.core.internal.parquet.write;

import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.read.ScalarLevels;

/**
 * Encodes the stray column as runs of booleans, never compressed.
 *
 * <pre>
 *   length (4 bytes) | runs of 1 bit, {@link HybridEncoding}
 * </pre>
 */
final class StrayChunkEncoder {

  private final EventFileSchema schema;
  private final ByteOutput body = new ByteOutput(1 << 10);
  private final ByteOutput unused = new ByteOutput(0);
  private final int[] levels = new int[EventFormat.PAGE_ROWS];

  StrayChunkEncoder(EventFileSchema schema) {
    this.schema = schema;
  }

  EncodedColumn encode(byte[] stray, boolean constant, int[] pageRows, ByteOutput out) {
    EncodingChoice choice = EncodingChoice.uncompressed(ColumnEncoding.RLE);
    ChunkWriter chunk = new ChunkWriter(out, schema, EventColumn.STRAY, choice, pageRows, unused);
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
      ScalarLevels.put(levels, count, 1, body);
      chunk.page(body, count);
      statistics.addPage(and == 1, or == 1, 0);
    }
    return chunk.finish(statistics, constant ? Long.valueOf(stray[0]) : null);
  }
}
