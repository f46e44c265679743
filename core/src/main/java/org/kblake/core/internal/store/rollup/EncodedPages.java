package org.kblake.core.internal.store.rollup;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.ByteStreamSplit;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.page.PageCompressor;
import org.kblake.core.internal.store.rollup.RollupColumn.Presence;

/**
 * The encoded pages of the rows of a channel and a width, before it is known whether they are
 * written. Numbers are BYTE_STREAM_SPLIT or plain, whichever is smaller compressed. All else is
 * DELTA_BINARY_PACKED.
 */
final class EncodedPages {

  private final WriteProfile profile;
  private final Codec codec;
  private final DeltaEncoding delta = new DeltaEncoding();
  private final ByteStreamSplit split = new ByteStreamSplit();
  private final List<Page> pages = new ArrayList<>();
  private long[] present = new long[Rollups.PAGE_ROWS];
  private final int[] levels = new int[Rollups.PAGE_ROWS];

  /**
   * A page of a column.
   *
   * @param ready the compressed body; null if the column is not compressed
   */
  record Column(ByteOutput body, @Nullable ByteOutput ready, ColumnEncoding encoding) {

    int bytes() {
      return ready == null ? body.size : ready.size;
    }
  }

  /** A page of each column, of the rows [from, to). */
  record Page(int from, int to, List<Column> columns) {}

  EncodedPages(WriteProfile profile) {
    this.profile = profile;
    codec = profile.dense() ? Codec.ZSTD : profile.codec();
  }

  /** Returns the codec of columns of numbers. */
  Codec codec() {
    return codec;
  }

  /** Encodes rows, in place of the rows before. */
  List<Page> encode(RollupRows rows) {
    pages.clear();
    for (int from = 0; from < rows.count(); from += Rollups.PAGE_ROWS) {
      int to = Math.min(rows.count(), from + Rollups.PAGE_ROWS);
      List<Column> columns = new ArrayList<>(RollupColumn.columns());
      for (int i = 0; i < RollupColumn.columns(); i++) {
        columns.add(encode(rows, RollupColumn.of(i), from, to));
      }
      pages.add(new Page(from, to, columns));
    }
    return pages;
  }

  private Column encode(RollupRows rows, RollupColumn column, int from, int to) {
    ByteOutput body = new ByteOutput(256);
    int count = 0;
    for (int row = from; row < to; row++) {
      boolean has = rows.has(column, row);
      levels[row - from] = has ? 1 : 0;
      if (has) {
        present[count++] = rows.integer(column, row);
      }
    }
    if (column.presence() != Presence.ALWAYS) {
      body.putInt(0);
      HybridEncoding.encode(levels, 0, to - from, 1, body);
      LittleEndian.putInt(body.bytes, 0, body.size - Integer.BYTES);
    }
    if (!column.isNumber()) {
      delta.encode(present, 0, count, false, body);
      return new Column(body, null, ColumnEncoding.DELTA);
    }
    ByteOutput plain = new ByteOutput(body.size + count * Long.BYTES);
    plain.write(body.bytes, 0, body.size);
    NumberKind.DOUBLE.putPlain(present, 0, count, plain);
    Column best = new Column(plain, compressed(plain), ColumnEncoding.PLAIN);
    if (!profile.lake()) {
      split.encode(present, 0, count, Long.BYTES, body);
      Column other = new Column(body, compressed(body), ColumnEncoding.BYTE_STREAM_SPLIT);
      best = other.bytes() < best.bytes() ? other : best;
    }
    return best;
  }

  private @Nullable ByteOutput compressed(ByteOutput body) {
    if (codec == Codec.NONE) {
      return null;
    }
    ByteOutput ready = new ByteOutput(body.size + 64);
    PageCompressor.compress(codec, false, body, ready);
    return ready;
  }
}
