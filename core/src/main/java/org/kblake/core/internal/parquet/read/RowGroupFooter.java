package org.kblake.core.internal.parquet.read;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.Codec;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.ThriftCheck;
import org.kblake.core.internal.parquet.file.ChannelRows;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventFileSchema;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.FetchedBytes;
import org.kblake.core.internal.parquet.file.FileFooter;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.page.PageBody;
import org.kblake.core.internal.parquet.page.PageCompressor;
import org.kblake.core.internal.parquet.page.PageHeaderFields;
import org.kblake.core.internal.parquet.page.PageTimes;
import org.kblake.core.model.ValueType;

/** Reads the layout of one row group from a file's footer. */
final class RowGroupFooter {

  /** The largest size of a dictionary page with one number. */
  private static final int SMALL_DICTIONARY_BYTES = 64;

  private final ByteSource source;
  private final FileFooter footer;
  private final EventFileSchema schema;
  private final RowGroup rowGroup;
  private final DecodeScratch scratch = new DecodeScratch();
  private final PageBody page = scratch.page;
  private final FetchedBytes fetched = new FetchedBytes();
  private int[] pageRows = new int[0];

  RowGroupFooter(ByteSource source, FileFooter footer, EventFileSchema schema, RowGroup rowGroup) {
    this.source = source;
    this.footer = footer;
    this.schema = schema;
    this.rowGroup = rowGroup;
  }

  RowGroupLayout layout() throws IOException, MalformedPageException {
    List<ColumnChunk> chunks = rowGroup.getColumns();
    if (chunks.size() != EventColumn.count()) {
      throw new MalformedPageException(chunks.size() + " columns", "" + EventColumn.count());
    }
    pageRows = pageRows(chunks.get(EventColumn.TIME.ordinal()));
    List<ColumnLayout> columns = new ArrayList<>();
    for (EventColumn column : EventColumn.inOrder()) {
      columns.add(column(column, chunks.get(column.ordinal())));
    }
    int pages = pageRows.length - 1;
    long[] mins = new long[pages];
    long[] maxs = new long[pages];
    RowGroupLayout layout =
        new RowGroupLayout(channels(columns), pageRows, mins, maxs, List.copyOf(columns));
    times(layout, chunks.get(EventColumn.TIME.ordinal()));
    return layout;
  }

  private int[] pageRows(ColumnChunk time) throws MalformedPageException {
    long rows = rowGroup.getNum_rows();
    OffsetIndex index = offsetIndex(time);
    int pages = index == null ? 1 : index.getPage_locationsSize();
    int[] starts = new int[pages + 1];
    for (int i = 1; i < pages && index != null; i++) {
      starts[i] = (int) index.getPage_locations().get(i).getFirst_row_index();
    }
    starts[pages] = (int) rows;
    for (int i = 0; i < pages; i++) {
      int count = starts[i + 1] - starts[i];
      if (rows != (int) rows || count < 1 || count > EventFormat.PAGE_ROWS) {
        throw new MalformedPageException(
            "page of " + count + " rows", "1 to " + EventFormat.PAGE_ROWS);
      }
    }
    return starts;
  }

  private ColumnLayout column(EventColumn column, ColumnChunk chunk)
      throws IOException, MalformedPageException {
    ColumnMetaData metaData = chunk.getMeta_data();
    if (metaData == null || !metaData.isSetStatistics()) {
      throw new MalformedPageException("no statistics of " + column.text(), "statistics");
    }
    if (metaData.getType() != schema.physicalType(column)
        || !metaData.getPath_in_schema().equals(schema.path(column))) {
      throw new MalformedPageException(
          "column " + metaData.getPath_in_schema(), schema.path(column).toString());
    }
    long data = metaData.getData_page_offset();
    long offset =
        metaData.isSetDictionary_page_offset() ? metaData.getDictionary_page_offset() : data;
    long bytes = metaData.getTotal_compressed_size();
    if (offset < FileFooter.MAGIC_BYTES
        || data < offset
        || bytes < data - offset
        || bytes > Integer.MAX_VALUE
        || bytes > footer.indexOffset() - offset) {
      throw new MalformedPageException(
          column.text() + " at " + offset + ", " + bytes + " bytes",
          "inside " + footer.indexOffset());
    }
    int[] starts = pageStarts(offset, (int) (data - offset), (int) bytes, offsetIndex(chunk));
    ColumnEncoding encoding = encoding(metaData.getEncodings());
    Codec codec = codec(metaData);
    ColumnLayout layout =
        new ColumnLayout(encoding, codec, null, offset, (int) (data - offset), starts);
    Long constant = constant(column, metaData, layout);
    return new ColumnLayout(encoding, codec, constant, offset, (int) (data - offset), starts);
  }

  private int[] pageStarts(long offset, int dictionaryBytes, int bytes, @Nullable OffsetIndex index)
      throws MalformedPageException {
    int pages = pageRows.length - 1;
    int found = index == null ? 1 : index.getPage_locationsSize();
    if (found != pages) {
      throw new MalformedPageException(found + " pages", pages + " as of the time column");
    }
    int[] starts = new int[pages + 1];
    starts[0] = dictionaryBytes;
    starts[pages] = bytes;
    for (int i = 0; i < pages && index != null; i++) {
      PageLocation location = index.getPage_locations().get(i);
      long start = location.getOffset() - offset;
      if (location.getFirst_row_index() != pageRows[i]
          || start < (i == 0 ? dictionaryBytes : starts[i - 1])
          || start > bytes
          || (i == 0 && start != dictionaryBytes)) {
        throw new MalformedPageException(
            "page " + i + " at row " + location.getFirst_row_index() + ", byte " + start,
            "row " + pageRows[i]);
      }
      starts[i] = (int) start;
    }
    return starts;
  }

  private static Codec codec(ColumnMetaData metaData) throws MalformedPageException {
    for (Codec codec : Codec.values()) {
      if (PageCompressor.parquet(codec) == metaData.getCodec()) {
        return codec;
      }
    }
    throw new MalformedPageException("codec " + metaData.getCodec(), "a codec of kblake");
  }

  private static ColumnEncoding encoding(List<Encoding> encodings) throws MalformedPageException {
    ColumnEncoding found = null;
    for (ColumnEncoding encoding : ColumnEncoding.values()) {
      boolean more = found == null || found == ColumnEncoding.PLAIN || found == ColumnEncoding.RLE;
      if (more && encodings.contains(encoding.parquet())) {
        found = found == ColumnEncoding.PLAIN && encoding == ColumnEncoding.RLE ? found : encoding;
      }
    }
    if (found == null) {
      throw new MalformedPageException("encodings " + encodings, "encodings of kblake");
    }
    return found;
  }

  private @Nullable Long constant(EventColumn column, ColumnMetaData metaData, ColumnLayout layout)
      throws IOException, MalformedPageException {
    if (column == EventColumn.STRAY) {
      byte[] min = metaData.getStatistics().getMin_value();
      byte[] max = metaData.getStatistics().getMax_value();
      return min != null && min.length == 1 && Arrays.equals(min, max) ? (long) min[0] : null;
    }
    boolean numbers =
        column != EventColumn.CHANNEL
            && (column != EventColumn.VALUE
                || (!schema.waveform() && schema.type() != ValueType.STRING));
    if (!numbers
        || metaData.getStatistics().getNull_count() != 0
        || layout.dictionaryBytes() == 0
        || layout.dictionaryBytes() > SMALL_DICTIONARY_BYTES) {
      return null;
    }
    fetched.begin();
    fetched.request(layout.offset(), layout.dictionaryBytes(), 0);
    fetched.read(source);
    page.open(
        fetched.buffer(),
        fetched.place(layout.offset()),
        layout.dictionaryBytes(),
        PageType.DICTIONARY_PAGE,
        layout.codec(),
        EventFormat.MAX_DICTIONARY_BYTES);
    NumberDictionary dictionary = new NumberDictionary();
    dictionary.load(page, schema.kind(column));
    return dictionary.size() == 1 ? dictionary.entries()[0] : null;
  }

  private List<ChannelRows> channels(List<ColumnLayout> columns)
      throws IOException, MalformedPageException {
    ColumnLayout layout = columns.get(EventColumn.CHANNEL.ordinal());
    fetched.begin();
    fetched.request(layout.offset(), layout.bytes(), 0);
    fetched.read(source);
    ColumnDecoder decoder = new ColumnDecoder(EventColumn.CHANNEL, scratch);
    decoder.loadDictionary(source, fetched, layout, ValueType.STRING);
    TextDictionaryPage dictionary = decoder.textDictionary();
    List<String> names = new ArrayList<>();
    int[] starts = new int[dictionary.size() + 1];
    int[] indices = new int[EventFormat.PAGE_ROWS];
    for (int i = 0; i + 1 < pageRows.length; i++) {
      int rows = pageRows[i + 1] - pageRows[i];
      page.open(
          fetched.buffer(),
          fetched.place(layout.offset() + layout.pageStarts()[i]),
          layout.pageStarts()[i + 1] - layout.pageStarts()[i],
          PageType.DATA_PAGE,
          layout.codec(),
          256 + 10L * rows);
      PageHeaderFields header = page.header();
      if (header.values() != rows || header.encoding() != layout.encoding().parquet().getValue()) {
        throw new MalformedPageException(
            "page of " + header.values() + " channel names, encoding " + header.encoding(),
            rows + " rows, encoding " + layout.encoding());
      }
      NumberPageDecoder.decodeIndices(
          page.bytes(), 0, page.size(), dictionary.size(), indices, rows);
      for (int row = 0; row < rows; row++) {
        if (indices[row] == names.size()) {
          starts[names.size()] = pageRows[i] + row;
          names.add(dictionary.entry(indices[row]));
        } else if (indices[row] != names.size() - 1) {
          throw new MalformedPageException(
              "channel " + indices[row] + " behind " + (names.size() - 1), "channels in order");
        }
      }
    }
    if (names.size() != dictionary.size()) {
      throw new MalformedPageException(
          dictionary.size() + " channel names", names.size() + " channels");
    }
    starts[names.size()] = pageRows[pageRows.length - 1];
    return ChannelRows.in(pageRows, names, starts);
  }

  private void times(RowGroupLayout layout, ColumnChunk time)
      throws IOException, MalformedPageException {
    Long stray = layout.column(EventColumn.STRAY).constant();
    if (stray == null) {
      timesFromPages(layout);
    } else if (stray != 0) {
      Arrays.fill(layout.pageMinNanos(), Long.MAX_VALUE);
      Arrays.fill(layout.pageMaxNanos(), Long.MIN_VALUE);
    } else if (layout.pages() == 1) {
      layout.pageMinNanos()[0] = nanos(time.getMeta_data().getStatistics().getMin_value());
      layout.pageMaxNanos()[0] = nanos(time.getMeta_data().getStatistics().getMax_value());
    } else {
      ColumnIndex index = columnIndex(time);
      if (index == null
          || index.getMin_valuesSize() != layout.pages()
          || index.getMax_valuesSize() != layout.pages()) {
        throw new MalformedPageException("no times of pages", "a column index of time");
      }
      for (int i = 0; i < layout.pages(); i++) {
        layout.pageMinNanos()[i] = nanos(index.getMin_values().get(i).array());
        layout.pageMaxNanos()[i] = nanos(index.getMax_values().get(i).array());
      }
    }
  }

  private void timesFromPages(RowGroupLayout layout) throws IOException {
    EventPageReader reader = new EventPageReader();
    EventColumns rows = new EventColumns(schema.type(), schema.waveform(), EventFormat.PAGE_ROWS);
    EnumSet<EventColumn> wanted = EnumSet.of(EventColumn.TIME, EventColumn.STRAY);
    for (int i = 0; i < layout.pages(); i++) {
      reader.read(source, layout, i, i + 1, wanted, rows);
      layout.pageMinNanos()[i] = PageTimes.min(rows, 0, rows.count);
      layout.pageMaxNanos()[i] = PageTimes.max(rows, 0, rows.count);
    }
  }

  private static long nanos(byte @Nullable [] plain) throws MalformedPageException {
    if (plain == null || plain.length != 8) {
      throw new MalformedPageException("no smallest or largest time", "8 bytes");
    }
    return LittleEndian.getLong(plain, 0);
  }

  private @Nullable OffsetIndex offsetIndex(ColumnChunk chunk) throws MalformedPageException {
    if (!chunk.isSetOffset_index_offset()) {
      return null;
    }
    try {
      return Util.readOffsetIndex(
          index(chunk.getOffset_index_offset(), chunk.getOffset_index_length()));
    } catch (IOException e) {
      throw new MalformedPageException("offset index: " + e.getMessage(), "an offset index");
    }
  }

  private @Nullable ColumnIndex columnIndex(ColumnChunk chunk) throws MalformedPageException {
    if (!chunk.isSetColumn_index_offset()) {
      return null;
    }
    try {
      return Util.readColumnIndex(
          index(chunk.getColumn_index_offset(), chunk.getColumn_index_length()));
    } catch (IOException e) {
      throw new MalformedPageException("column index: " + e.getMessage(), "a column index");
    }
  }

  private ByteArrayInputStream index(long offset, int length) throws MalformedPageException {
    long from = offset - footer.indexOffset();
    if (from < 0 || length < 0 || from + length > footer.indexes().length) {
      throw new MalformedPageException("page index at " + offset, "inside the page indexes");
    }
    ThriftCheck.struct(footer.indexes(), (int) from, (int) from + length);
    return new ByteArrayInputStream(footer.indexes(), (int) from, length);
  }
}
