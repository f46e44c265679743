package org.kblake.core.internal.parquet.write;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.WriteProfile;

/**
 * Encodes the channel column. The dictionary contains the names. A channel's rows are a run of
 * indices.
 */
final class ChannelChunkEncoder {

  private final EventFileSchema schema;
  private final EncodingTrial trial;
  private final ByteOutput body = new ByteOutput(1 << 12);
  private final ByteOutput dictionaryBody = new ByteOutput(1 << 12);
  private final ByteOutput compressed = new ByteOutput(1 << 12);
  private final int[] indices = new int[EventFormat.PAGE_ROWS];

  ChannelChunkEncoder(WriteProfile profile, EventFileSchema schema) {
    this.schema = schema;
    this.trial = new EncodingTrial(profile);
  }

  /**
   * Appends the chunk.
   *
   * @param names the names of the channels, in row order
   * @param starts the first row of each channel, and as the last element the number of rows
   */
  EncodedColumn encode(List<String> names, int[] starts, int[] pageRows, ByteOutput out) {
    byte[][] plain = new byte[names.size()][];
    dictionaryBody.reset();
    for (int i = 0; i < plain.length; i++) {
      plain[i] = names.get(i).getBytes(StandardCharsets.UTF_8);
      dictionaryBody.putInt(plain[i].length);
      dictionaryBody.write(plain[i], 0, plain[i].length);
    }
    int width = HybridEncoding.width(plain.length - 1);
    EncodingChoice choice = EncodingChoice.uncompressed(ColumnEncoding.DICTIONARY);
    if (plain.length > 1) {
      int pages = pageRows.length - 1;
      EncodingTrial.PageEncoder encoder =
          (encoding, page, target) -> putPage(starts, width, pageRows, page, target);
      trial.begin();
      trial.attempt(ColumnEncoding.DICTIONARY, pages, encoder, dictionaryBody, 1);
      choice = trial.best(pages);
    }
    ChunkWriter chunk =
        new ChunkWriter(out, schema, EventColumn.CHANNEL, choice, pageRows, compressed);
    chunk.dictionary(dictionaryBody, plain.length);
    ChunkStatistics<byte[]> statistics =
        new ChunkStatistics<>(Arrays::compareUnsigned, bytes -> bytes);
    for (int page = 0; page + 1 < pageRows.length; page++) {
      body.reset();
      putPage(starts, width, pageRows, page, body);
      chunk.page(body, pageRows[page + 1] - pageRows[page]);
      if (page == 0 || plain.length > 1) {
        // The pages of a single channel need no index of their names.
        addStatistics(statistics, plain, starts, pageRows[page], pageRows[page + 1]);
      }
    }
    return chunk.finish(statistics, null);
  }

  private void putPage(int[] starts, int width, int[] pageRows, int page, ByteOutput target) {
    int from = pageRows[page];
    int to = pageRows[page + 1];
    int channel = channelOf(starts, from);
    for (int row = from; row < to; ) {
      int end = Math.min(to, starts[channel + 1]);
      Arrays.fill(indices, row - from, end - from, channel);
      row = end;
      channel++;
    }
    target.write(width);
    HybridEncoding.encode(indices, 0, to - from, width, target);
  }

  private static int channelOf(int[] starts, int row) {
    int found = Arrays.binarySearch(starts, row);
    return found >= 0 ? found : -found - 2;
  }

  private static void addStatistics(
      ChunkStatistics<byte[]> statistics, byte[][] plain, int[] starts, int from, int to) {
    int channel = channelOf(starts, from);
    byte[] min = plain[channel];
    byte[] max = plain[channel];
    for (channel++; channel < plain.length && starts[channel] < to; channel++) {
      min = Arrays.compareUnsigned(plain[channel], min) < 0 ? plain[channel] : min;
      max = Arrays.compareUnsigned(plain[channel], max) > 0 ? plain[channel] : max;
    }
    statistics.addPage(min, max, 0);
  }
}
