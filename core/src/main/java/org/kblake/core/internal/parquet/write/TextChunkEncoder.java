package org.kblake.core.internal.parquet.write;

import java.util.Arrays;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.TextDictionary;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.WriteProfile;
import org.kblake.core.internal.parquet.read.Levels;

/**
 * Encodes value chunks of texts. Reusable, not thread safe.
 *
 * <pre>
 *   PLAIN:        for each text: length (4 bytes) | bytes
 *   DELTA_LENGTH: lengths as DELTA_BINARY_PACKED | the bytes of all texts
 * </pre>
 */
final class TextChunkEncoder {

  private final EventFileSchema schema;
  private final EncodingTrial trial;
  private final DeltaEncoding delta = new DeltaEncoding();
  private final TextDictionary dictionary = new TextDictionary();
  private final ByteOutput body = new ByteOutput(1 << 16);
  private final ByteOutput dictionaryBody = new ByteOutput(1 << 12);
  private final ByteOutput compressed = new ByteOutput(1 << 16);
  private long[] lengths = new long[0];

  TextChunkEncoder(WriteProfile profile, EventFileSchema schema) {
    this.schema = schema;
    this.trial = new EncodingTrial(profile);
  }

  /**
   * Appends a chunk.
   *
   * @param starts the index of the first byte of each text that is not null, and the end of the
   *     last text
   */
  EncodedColumn encode(byte[] text, int[] starts, int[] pageRows, Levels levels, ByteOutput out) {
    int[] valueStarts = levels.valueStarts();
    EncodingChoice choice = choose(text, starts, valueStarts);
    ChunkWriter chunk =
        new ChunkWriter(out, schema, EventColumn.VALUE, choice, pageRows, compressed);
    if (choice.encoding() == ColumnEncoding.DICTIONARY) {
      chunk.dictionary(dictionaryBody, dictionary.size);
    }
    ChunkStatistics<byte[]> statistics =
        new ChunkStatistics<>(Arrays::compareUnsigned, bytes -> bytes);
    for (int page = 0; page + 1 < pageRows.length; page++) {
      int from = valueStarts[page];
      int to = valueStarts[page + 1];
      body.reset();
      levels.put(page, body);
      putValues(choice.encoding(), text, starts, from, to, body);
      chunk.page(body, levels.entries(page));
      addStatistics(statistics, text, starts, from, to, levels.nulls(page));
    }
    return chunk.finish(statistics, null);
  }

  private EncodingChoice choose(byte[] text, int[] starts, int[] valueStarts) {
    int pages = valueStarts.length - 1;
    EncodingTrial.PageEncoder encoder =
        (encoding, page, target) ->
            putValues(encoding, text, starts, valueStarts[page], valueStarts[page + 1], target);
    trial.begin();
    trial.attempt(ColumnEncoding.PLAIN, pages, encoder, null, 0);
    if (dictionary.build(text, starts, valueStarts[pages], EventFormat.MAX_DICTIONARY)
        && dictionary.size > 0) {
      dictionaryBody.reset();
      for (int i = 0; i < dictionary.size; i++) {
        int element = dictionary.entries[i];
        putPlain(text, starts, element, element + 1, dictionaryBody);
      }
      double share = EncodingTrial.sampleShare(valueStarts);
      trial.attempt(ColumnEncoding.DICTIONARY, pages, encoder, dictionaryBody, share);
    }
    trial.attempt(ColumnEncoding.DELTA_LENGTH, pages, encoder, null, 0);
    return trial.best(pages);
  }

  private void putValues(
      ColumnEncoding encoding, byte[] text, int[] starts, int from, int to, ByteOutput target) {
    switch (encoding) {
      case PLAIN -> putPlain(text, starts, from, to, target);
      case DICTIONARY -> {
        int width = HybridEncoding.width(dictionary.size - 1);
        target.write(width);
        HybridEncoding.encode(dictionary.indices, from, to, width, target);
      }
      case DELTA_LENGTH -> {
        if (lengths.length < to - from) {
          lengths = new long[to - from];
        }
        for (int i = from; i < to; i++) {
          lengths[i - from] = (long) starts[i + 1] - starts[i];
        }
        delta.encode(lengths, 0, to - from, true, target);
        target.write(text, starts[from], starts[to] - starts[from]);
      }
      case RLE, DELTA, BYTE_STREAM_SPLIT ->
          throw new IllegalArgumentException(encoding + " of texts");
    }
  }

  private static void putPlain(byte[] text, int[] starts, int from, int to, ByteOutput target) {
    for (int i = from; i < to; i++) {
      int length = starts[i + 1] - starts[i];
      target.putInt(length);
      target.write(text, starts[i], length);
    }
  }

  private static void addStatistics(
      ChunkStatistics<byte[]> statistics, byte[] text, int[] starts, int from, int to, long nulls) {
    if (from == to) {
      statistics.addPageOfNulls(nulls);
      return;
    }
    int min = from;
    int max = from;
    for (int i = from + 1; i < to; i++) {
      if (compare(text, starts, i, min) < 0) {
        min = i;
      } else if (compare(text, starts, i, max) > 0) {
        max = i;
      }
    }
    statistics.addPage(
        Arrays.copyOfRange(text, starts[min], starts[min + 1]),
        Arrays.copyOfRange(text, starts[max], starts[max + 1]),
        nulls);
  }

  private static int compare(byte[] text, int[] starts, int a, int b) {
    return Arrays.compareUnsigned(text, starts[a], starts[a + 1], text, starts[b], starts[b + 1]);
  }
}
