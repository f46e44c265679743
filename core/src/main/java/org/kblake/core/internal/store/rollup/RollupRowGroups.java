package org.kblake.core.internal.store.rollup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;
import org.kblake.core.columns.Codec;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.encoding.DeltaEncoding;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.SchemaElements;
import org.kblake.core.internal.parquet.write.EncodingChoice;
import org.kblake.core.internal.parquet.write.PageWriter;
import org.kblake.core.internal.store.file.StoreFiles;

/** The row groups of a rollup file. The pages of the present one are in memory. */
final class RollupRowGroups {

  private static final int MAX_ROWS = 1 << 15;
  private static final int HEADER_BYTES = 24;
  private static final List<String> CHANNEL_PATH = List.of("channel");
  private static final List<String> WIDTH_PATH = List.of("width");

  private final RollupDirectoryWriter directory;
  private final Chunk channels = new Chunk(ColumnEncoding.DICTIONARY, Codec.NONE);
  private final Chunk widths = new Chunk(ColumnEncoding.DELTA, Codec.NONE);
  private final List<Chunk> columns = new ArrayList<>();
  private final List<RowGroup> written = new ArrayList<>();
  private final TreeMap<String, Integer> names = new TreeMap<>();
  private final List<RollupDirectoryWriter.Page> pages = new ArrayList<>();
  private final ByteOutput body = new ByteOutput(64);
  private final DeltaEncoding delta = new DeltaEncoding();
  private final long[] same = new long[Rollups.PAGE_ROWS];
  private int rows;
  private int leastWidth = Integer.MAX_VALUE;
  private int mostWidth;
  private long firstBin = Long.MAX_VALUE;
  private long lastBin = Long.MIN_VALUE;

  /** The pages of a column in the present row group. */
  private static final class Chunk {
    private final EncodingChoice choice;
    private final ByteOutput bytes = new ByteOutput(1 << 10);
    private final ByteOutput scratch = new ByteOutput(1 << 6);
    private PageWriter pages;

    Chunk(ColumnEncoding encoding, Codec codec) {
      choice = new EncodingChoice(encoding, codec, false);
      pages = new PageWriter(bytes, choice, scratch);
    }

    void clear() {
      bytes.reset();
      pages = new PageWriter(bytes, choice, scratch);
    }
  }

  RollupRowGroups(Codec codec, RollupDirectoryWriter directory) {
    this.directory = directory;
    for (int i = 0; i < RollupColumn.columns(); i++) {
      boolean number = RollupColumn.of(i).isNumber();
      // Pages of numbers have the encoding that is smaller; the footer names all.
      columns.add(
          new Chunk(
              number ? ColumnEncoding.PLAIN : ColumnEncoding.DELTA, number ? codec : Codec.NONE));
    }
  }

  /** Returns the bytes that a page takes in the file. */
  long bytes(EncodedPages.Page page) {
    long bytes = 2L * HEADER_BYTES;
    for (EncodedPages.Column column : page.columns()) {
      bytes += HEADER_BYTES + column.bytes();
    }
    return bytes;
  }

  boolean isEmpty() {
    return rows == 0;
  }

  boolean isFull() {
    return rows >= MAX_ROWS;
  }

  /** Adds a page of each column. */
  void add(String channel, int seconds, RollupRows all, EncodedPages.Page page) {
    int count = page.to() - page.from();
    putChannel(channel, count);
    putWidth(seconds, count);
    long[] offsets = new long[columns.size()];
    int[] bytes = new int[columns.size()];
    for (int i = 0; i < offsets.length; i++) {
      Chunk chunk = columns.get(i);
      EncodedPages.Column column = page.columns().get(i);
      offsets[i] = chunk.pages.bytes();
      chunk.pages.page(column.body(), column.ready(), count, column.encoding());
      bytes[i] = chunk.pages.bytes() - (int) offsets[i];
    }
    long first = all.integer(RollupColumn.BIN, page.from());
    long last = all.integer(RollupColumn.BIN, page.to() - 1);
    pages.add(new RollupDirectoryWriter.Page(count, first, last, offsets, bytes));
    firstBin = Math.min(firstBin, first);
    lastBin = Math.max(lastBin, last);
    leastWidth = Math.min(leastWidth, seconds);
    mostWidth = Math.max(mostWidth, seconds);
    rows += count;
  }

  private void putChannel(String channel, int count) {
    int index = names.computeIfAbsent(channel, any -> names.size());
    int width = HybridEncoding.width(index);
    body.reset();
    body.write(width);
    body.putVarint((long) count << 1);
    for (int bits = 0; bits < width; bits += Byte.SIZE) {
      body.write(index >>> bits);
    }
    channels.pages.page(body, count);
  }

  private void putWidth(int seconds, int count) {
    for (int i = 0; i < count; i++) {
      same[i] = seconds;
    }
    body.reset();
    delta.encode(same, 0, count, true, body);
    widths.pages.page(body, count);
  }

  /** Writes the present row group, and begins the next one. */
  void write(StoreFiles.Output out) throws IOException {
    long base = out.size();
    List<ColumnMetaData> metaData = new ArrayList<>();
    metaData.add(writeChannels(out));
    long position = out.size();
    write(widths.bytes, out);
    ColumnMetaData width = widths.pages.metaData(Type.INT32, WIDTH_PATH, position);
    width.setStatistics(statistics(plain(leastWidth), plain(mostWidth)));
    metaData.add(width);
    for (int i = 0; i < columns.size(); i++) {
      Chunk chunk = columns.get(i);
      RollupColumn column = RollupColumn.of(i);
      position = out.size();
      for (RollupDirectoryWriter.Page page : pages) {
        page.offsets()[i] += position;
      }
      write(chunk.bytes, out);
      ColumnMetaData each =
          chunk.pages.metaData(column.numberKind().parquet(), column.path(), position);
      if (column.isNumber()) {
        each.setEncodings(
            List.of(
                ColumnEncoding.PLAIN.parquet(),
                ColumnEncoding.RLE.parquet(),
                ColumnEncoding.BYTE_STREAM_SPLIT.parquet()));
      }
      if (column == RollupColumn.BIN) {
        NumberKind kind = column.numberKind();
        each.setStatistics(statistics(kind.plain(firstBin), kind.plain(lastBin)));
      }
      metaData.add(each);
    }
    written.add(FileFooter.rowGroup(metaData, rows, base));
    pages.forEach(directory::page);
    clear();
  }

  /** Writes the dictionary of names and the pages with their numbers. */
  private ColumnMetaData writeChannels(StoreFiles.Output out) throws IOException {
    Chunk dictionary = new Chunk(ColumnEncoding.DICTIONARY, Codec.NONE);
    String[] sorted = new String[names.size()];
    names.forEach((name, index) -> sorted[index] = name);
    body.reset();
    for (String name : sorted) {
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      body.putInt(bytes.length);
      body.write(bytes, 0, bytes.length);
    }
    dictionary.pages.dictionary(body, sorted.length);
    long position = out.size();
    int dictionaryBytes = dictionary.pages.bytes();
    write(dictionary.bytes, out);
    write(channels.bytes, out);
    ColumnMetaData metaData =
        channels.pages.metaData(Type.BYTE_ARRAY, CHANNEL_PATH, position + dictionaryBytes);
    metaData.setDictionary_page_offset(position);
    metaData.setTotal_compressed_size(dictionaryBytes + metaData.getTotal_compressed_size());
    metaData.setTotal_uncompressed_size(
        dictionary.pages.uncompressedBytes() + metaData.getTotal_uncompressed_size());
    metaData.setStatistics(
        statistics(RollupDirectoryLayout.bytes(least()), RollupDirectoryLayout.bytes(greatest())));
    return metaData;
  }

  /** Returns the first name in the order of UTF-8 bytes, which is that of code points. */
  private String least() {
    return names.keySet().stream().min(RollupRowGroups::compareBytes).orElse("");
  }

  private String greatest() {
    return names.keySet().stream().max(RollupRowGroups::compareBytes).orElse("");
  }

  private static int compareBytes(String a, String b) {
    return Arrays.compareUnsigned(RollupDirectoryLayout.bytes(a), RollupDirectoryLayout.bytes(b));
  }

  private static byte[] plain(int value) {
    return NumberKind.INT32.plain(value);
  }

  private static Statistics statistics(byte[] least, byte[] most) {
    Statistics statistics = new Statistics();
    statistics.setNull_count(0);
    statistics.setMin_value(least);
    statistics.setMax_value(most);
    return statistics;
  }

  private static void write(ByteOutput from, StoreFiles.Output out) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(from.bytes, 0, from.size);
    while (bytes.hasRemaining()) {
      out.write(bytes);
    }
  }

  private void clear() {
    channels.clear();
    widths.clear();
    columns.forEach(Chunk::clear);
    names.clear();
    pages.clear();
    rows = 0;
    leastWidth = Integer.MAX_VALUE;
    mostWidth = 0;
    firstBin = Long.MAX_VALUE;
    lastBin = Long.MIN_VALUE;
  }

  /** Returns the metadata of the written row groups for the footer. */
  FileMetaData metaData(boolean plainTimes) {
    List<SchemaElement> schema = new ArrayList<>();
    schema.add(SchemaElements.message(2 + columns.size()));
    schema.add(SchemaElements.text(SchemaElements.leaf("channel", Type.BYTE_ARRAY, false)));
    schema.add(SchemaElements.leaf("width", Type.INT32, false));
    for (int i = 0; i < columns.size(); i++) {
      schema.add(RollupColumn.of(i).schema(plainTimes));
    }
    return FileFooter.metaData(schema, 2 + columns.size(), written);
  }
}
