package org.kblake.core.internal.store.rollup;

import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.PageType;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.SplitBytes;
import org.kblake.core.internal.parquet.file.FetchedBytes;
import org.kblake.core.internal.parquet.page.PageBody;
import org.kblake.core.internal.store.rollup.RollupColumn.Presence;

/** Decodes pages of a rollup file. Reusable, not thread safe. */
final class RollupPageDecoder {

  private static final int MAX_BYTES = 1024 + 10 * Rollups.PAGE_ROWS;

  /** Decoders write up to so many values behind the last one. */
  private static final int PADDING = 16;

  private final PageBody page = new PageBody();
  private final SplitBytes split = new SplitBytes();
  private final int[] levels = new int[Rollups.PAGE_ROWS];
  private final long[] values = new long[Rollups.PAGE_ROWS + PADDING];

  /** Decodes a page into the rows from a number on. */
  void decode(
      FetchedBytes fetched,
      long offset,
      int bytes,
      RollupColumn column,
      Codec codecOfNumbers,
      RollupRows into,
      int base,
      int rows)
      throws MalformedPageException {
    Codec codec = column.isNumber() ? codecOfNumbers : Codec.NONE;
    page.open(fetched.buffer(), fetched.place(offset), bytes, PageType.DATA_PAGE, codec, MAX_BYTES);
    if (page.header().values() != rows) {
      throw new MalformedPageException(page.header().values() + " values", rows + " rows");
    }
    boolean optional = column.presence() != Presence.ALWAYS;
    int from = optional ? levels(rows) : 0;
    int count = rows;
    if (optional) {
      count = 0;
      for (int i = 0; i < rows; i++) {
        count += levels[i];
      }
    }
    values(from, count);
    long[] target = into.array(column);
    int at = 0;
    for (int i = 0; i < rows; i++) {
      boolean has = !optional || levels[i] != 0;
      target[base + i] = has ? values[at++] : 0;
      if (column == RollupColumn.INTEGRAL) {
        into.setPlain(base + i, has);
      } else if (column.presence() == Presence.NUMBERS && has != into.numbers(base + i) > 0) {
        throw new MalformedPageException("values of other rows", "those with numbers");
      }
    }
  }

  /** Returns the index behind the levels. */
  private int levels(int rows) throws MalformedPageException {
    int length = page.size() < Integer.BYTES ? -1 : LittleEndian.getInt(page.bytes(), 0);
    if (length < 0 || length > page.size() - Integer.BYTES) {
      throw new MalformedPageException("levels of " + length + " bytes", "at most the page");
    }
    int end = Integer.BYTES + length;
    HybridEncoding.decode(page.bytes(), Integer.BYTES, end, 1, levels, 0, rows);
    return end;
  }

  private void values(int from, int count) throws MalformedPageException {
    int encoding = page.header().encoding();
    int size = page.size() - from;
    if (encoding == Encoding.DELTA_BINARY_PACKED.getValue()) {
      int end = DeltaEncoding.decode(page.bytes(), from, page.size(), false, values, 0, count);
      if (end != page.size()) {
        throw new MalformedPageException("more bytes", "the last value");
      }
      return;
    }
    if (size != count * Long.BYTES) {
      throw new MalformedPageException(size + " bytes", count + " values");
    }
    if (encoding == Encoding.BYTE_STREAM_SPLIT.getValue()) {
      split.decode(page.bytes(), from, Long.BYTES, values, 0, count);
    } else if (encoding == Encoding.PLAIN.getValue()) {
      for (int i = 0; i < count; i++) {
        values[i] = LittleEndian.getLong(page.bytes(), from + i * Long.BYTES);
      }
    } else {
      throw new MalformedPageException("encoding " + encoding, "plain or split bytes");
    }
  }
}
