package org.kblake.core.internal.parquet.read;

import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.page.PageBody;

/** Buffers and decoders that all column decoders of a reader share. Not thread safe. */
final class DecodeScratch {

  final PageBody page = new PageBody();
  final LevelDecoder levels = new LevelDecoder();
  final NumberPageDecoder numbers = new NumberPageDecoder();
  final TextPageDecoder texts = new TextPageDecoder();
  final long[] wide = new long[EventFormat.PAGE_ROWS];
  final int[] flags = new int[EventFormat.PAGE_ROWS];
  final RowIndices chosen = new RowIndices();
}
