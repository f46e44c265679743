package org.kblake.core.internal.parquet.write;

import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.ByteStreamSplit;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.LongDictionary;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.read.Levels;
import org.kblake.core.internal.parquet.read.ListLevels;

/** Encodes column chunks of numbers. Reusable, not thread safe. */
final class NumberChunkEncoder {

  private final WriteProfile profile;
  private final EventFileSchema schema;
  private final EncodingTrial trial;
  private final DeltaEncoding delta = new DeltaEncoding();
  private final ByteStreamSplit split = new ByteStreamSplit();
  private final LongDictionary dictionary = new LongDictionary();
  private final ByteOutput body = new ByteOutput(1 << 16);
  private final ByteOutput dictionaryBody = new ByteOutput(1 << 12);
  private final ByteOutput compressed = new ByteOutput(1 << 16);
  private final long[] single = new long[1];

  NumberChunkEncoder(WriteProfile profile, EventFileSchema schema) {
    this.profile = profile;
    this.schema = schema;
    this.trial = new EncodingTrial(profile);
  }

  /** Appends a chunk of rows with equal values: one dictionary entry, and indices of 0 bits. */
  EncodedColumn encodeConstant(EventColumn column, long value, int[] pageRows, ByteOutput out) {
    NumberKind kind = schema.kind(column);
    EncodingChoice choice = EncodingChoice.uncompressed(ColumnEncoding.DICTIONARY);
    ChunkWriter chunk = new ChunkWriter(out, schema, column, choice, pageRows, compressed);
    single[0] = value;
    body.reset();
    kind.putPlain(single, 0, 1, body);
    chunk.dictionary(body, 1);
    ChunkStatistics<Long> statistics = ChunkStatistics.ofNumbers(kind);
    if (kind.anyNaN(single, 0, 1)) {
      statistics.omit();
    }
    NumberKind.Range range = kind.range(single, 0, 1);
    for (int page = 0; page + 1 < pageRows.length; page++) {
      int rows = pageRows[page + 1] - pageRows[page];
      body.reset();
      if (column == EventColumn.VALUE) {
        putLevelsOfValues(rows);
      }
      body.write(0);
      body.putVarint((long) rows << 1);
      chunk.page(body, rows);
      statistics.addPage(range.minKey(), range.maxKey(), 0);
    }
    return chunk.finish(statistics, value);
  }

  private void putLevelsOfValues(int rows) {
    int length = body.size;
    body.putInt(0);
    body.putVarint((long) rows << 1);
    body.write(1);
    LittleEndian.putInt(body.bytes, length, body.size - length - 4);
  }

  /**
   * Appends a chunk.
   *
   * @param values the values that are not null
   * @param valueStarts the index of each page's first value, and as the last element their number
   * @param levels the levels of a value column, null for other columns
   */
  EncodedColumn encode(
      EventColumn column,
      long[] values,
      int[] valueStarts,
      int[] pageRows,
      @Nullable Levels levels,
      ByteOutput out) {
    NumberKind kind = schema.kind(column);
    EncodingChoice choice = choose(column, kind, values, valueStarts, levels);
    ChunkWriter chunk = new ChunkWriter(out, schema, column, choice, pageRows, compressed);
    if (choice.encoding() == ColumnEncoding.DICTIONARY) {
      chunk.dictionary(dictionaryBody, dictionary.size);
    }
    ChunkStatistics<Long> statistics = ChunkStatistics.ofNumbers(kind);
    if (kind.anyNaN(values, 0, valueStarts[valueStarts.length - 1])) {
      statistics.omit();
    }
    for (int page = 0; page + 1 < pageRows.length; page++) {
      int from = valueStarts[page];
      int to = valueStarts[page + 1];
      body.reset();
      if (levels != null) {
        levels.put(page, body);
      }
      ByteOutput tried = trial.values(page);
      if (levels == null && tried != null) {
        chunk.page(tried, trial.compressed(page), to - from);
      } else {
        if (tried == null) {
          putValues(choice.encoding(), kind, values, from, to, body);
        } else {
          body.write(tried.bytes, 0, tried.size);
        }
        chunk.page(body, levels == null ? to - from : levels.entries(page));
      }
      long nulls = levels == null ? 0 : levels.nulls(page);
      if (from == to) {
        statistics.addPageOfNulls(nulls);
      } else {
        NumberKind.Range range = kind.range(values, from, to);
        statistics.addPage(range.minKey(), range.maxKey(), nulls);
      }
    }
    return chunk.finish(statistics, null);
  }

  private EncodingChoice choose(
      EventColumn column,
      NumberKind kind,
      long[] values,
      int[] valueStarts,
      @Nullable Levels levels) {
    int pages = valueStarts.length - 1;
    EncodingTrial.PageEncoder encoder =
        (encoding, page, target) ->
            putValues(encoding, kind, values, valueStarts[page], valueStarts[page + 1], target);
    trial.begin();
    if (column == EventColumn.TIME) {
      trial.attempt(ColumnEncoding.DELTA, pages, encoder, null, 0);
      return trial.best(pages);
    }
    trial.attempt(ColumnEncoding.PLAIN, pages, encoder, null, 0);
    if (buildDictionary(kind, values, valueStarts)) {
      trial.attempt(
          ColumnEncoding.DICTIONARY,
          pages,
          encoder,
          dictionaryBody,
          EncodingTrial.sampleShare(valueStarts));
    }
    if (!kind.floating()) {
      trial.attempt(ColumnEncoding.DELTA, pages, encoder, null, 0);
    } else if (!profile.lake()) {
      trial.attempt(ColumnEncoding.BYTE_STREAM_SPLIT, pages, encoder, null, 0);
    }
    EncodingChoice choice = trial.best(pages);
    if (!(levels instanceof ListLevels lists)) {
      return choice;
    }
    // Lists of equal lengths have levels that repeat. A codec makes these small, even if it cannot
    // compress the elements.
    return trial.compressedIfSmaller(
        choice,
        pages,
        (encoding, page, target) -> {
          lists.put(page, target);
          encoder.encode(encoding, page, target);
        });
  }

  /** Builds {@link #dictionary}. Returns false if a dictionary would not save bytes. */
  private boolean buildDictionary(NumberKind kind, long[] values, int[] valueStarts) {
    int count = valueStarts[valueStarts.length - 1];
    // If most values of the first page are distinct, the values of other pages are assumed to be
    // distinct, too.
    int sample = Math.min(count, EventFormat.PAGE_ROWS);
    if (count == 0 || !dictionary.build(values, sample, sample - sample / 4)) {
      return false;
    }
    if (count > sample
        && !dictionary.build(values, count, Math.min(EventFormat.MAX_DICTIONARY, count / 2))) {
      return false;
    }
    dictionaryBody.reset();
    kind.putPlain(dictionary.entries, 0, dictionary.size, dictionaryBody);
    return true;
  }

  private void putValues(
      ColumnEncoding encoding,
      NumberKind kind,
      long[] values,
      int from,
      int to,
      ByteOutput target) {
    switch (encoding) {
      case PLAIN -> kind.putPlain(values, from, to, target);
      case DICTIONARY -> {
        int width = HybridEncoding.width(dictionary.size - 1);
        target.write(width);
        HybridEncoding.encode(dictionary.indices, from, to, width, target);
      }
      case DELTA -> delta.encode(values, from, to, kind.bytes() == 4, target);
      case BYTE_STREAM_SPLIT -> split.encode(values, from, to, kind.bytes(), target);
      case RLE, DELTA_LENGTH -> throw new IllegalArgumentException(encoding + " of numbers");
    }
  }
}
