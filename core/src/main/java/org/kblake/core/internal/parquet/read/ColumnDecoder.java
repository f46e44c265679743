package org.kblake.core.internal.parquet.read;

import org.apache.parquet.format.PageType;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.HybridEncoding;
import org.kblake.core.internal.parquet.encoding.LittleEndian;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.encoding.NumberKind;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.ColumnEncoding;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventFormat;
import org.kblake.core.internal.parquet.file.FetchedBytes;
import org.kblake.core.internal.parquet.file.RowGroupLayout;
import org.kblake.core.internal.parquet.page.PageBody;
import org.kblake.core.internal.parquet.page.PageHeaderFields;
import org.kblake.core.model.ValueType;

/** Decodes the pages of one column into its array of a batch. */
final class ColumnDecoder {

  /**
   * The largest decompressed size of a page of lists or texts with more than one row, with levels.
   */
  private static final long MAX_BYTES_OF_LISTS = 3L * EventFormat.PAGE_BYTES;

  private final EventColumn column;
  private final PageBody page;
  private final LevelDecoder levels;
  private final NumberPageDecoder numbers;
  private final TextPageDecoder texts;
  private final NumberDictionary numberDictionary = new NumberDictionary();
  private final TextDictionaryPage textDictionary = new TextDictionaryPage();
  private final long[] wide;
  private final int[] flags;
  private final RowIndices chosen;
  private boolean dictionaryKnown;

  ColumnDecoder(EventColumn column, DecodeScratch scratch) {
    this.column = column;
    page = scratch.page;
    levels = scratch.levels;
    numbers = scratch.numbers;
    texts = scratch.texts;
    wide = scratch.wide;
    flags = scratch.flags;
    chosen = scratch.chosen;
  }

  boolean needsDictionary() {
    return !dictionaryKnown;
  }

  void dropDictionary() {
    dictionaryKnown = false;
    numberDictionary.clear();
    textDictionary.clear();
  }

  TextDictionaryPage textDictionary() {
    return textDictionary;
  }

  /** Decodes pages into the rows from 0 on. The caller has ensured the capacity. */
  void read(
      ByteSource source,
      FetchedBytes fetched,
      RowGroupLayout rowGroup,
      int firstPage,
      int endPage,
      EventColumns into)
      throws CorruptBlockException {
    ColumnLayout layout = rowGroup.column(column);
    int[] pageRows = rowGroup.pageRows();
    int firstRow = pageRows[firstPage];
    Long constant = layout.constant();
    if (constant != null) {
      ColumnArrays.fill(column, constant, into, 0, pageRows[endPage] - firstRow);
      return;
    }
    loadDictionary(source, fetched, layout, into.type());
    for (int number = firstPage; number < endPage; number++) {
      int rows = pageRows[number + 1] - pageRows[number];
      try {
        open(fetched, layout, number, rows, into);
        decode(layout, pageRows[number] - firstRow, rows, into);
      } catch (MalformedPageException e) {
        throw corrupt(source, layout.pageOffset(number), e);
      }
    }
  }

  /** Decodes some rows of a page into the rows from 0 on. The caller has ensured the capacity. */
  void readRows(
      ByteSource source,
      FetchedBytes fetched,
      RowGroupLayout rowGroup,
      int number,
      RowIndices rows,
      EventColumns into)
      throws CorruptBlockException {
    ColumnLayout layout = rowGroup.column(column);
    Long constant = layout.constant();
    if (constant != null) {
      ColumnArrays.fill(column, constant, into, 0, rows.count);
      return;
    }
    loadDictionary(source, fetched, layout, into.type());
    int pageRows = rowGroup.pageRows()[number + 1] - rowGroup.pageRows()[number];
    try {
      open(fetched, layout, number, pageRows, into);
      decodeRows(layout, pageRows, rows, into);
    } catch (MalformedPageException e) {
      throw corrupt(source, layout.pageOffset(number), e);
    }
  }

  private void open(
      FetchedBytes fetched, ColumnLayout layout, int number, int rows, EventColumns into)
      throws MalformedPageException {
    checkRows(rows);
    page.open(
        fetched.buffer(),
        fetched.place(layout.pageOffset(number)),
        layout.pageBytes(number),
        PageType.DATA_PAGE,
        layout.codec(),
        mostBytes(into, rows));
    checkHeader(layout, rows, into.waveform());
  }

  /** Decodes the dictionary page, unless an earlier read has done so. */
  void loadDictionary(ByteSource source, FetchedBytes fetched, ColumnLayout layout, ValueType type)
      throws CorruptBlockException {
    if (dictionaryKnown || layout.dictionaryBytes() == 0) {
      return;
    }
    try {
      page.open(
          fetched.buffer(),
          fetched.place(layout.offset()),
          layout.dictionaryBytes(),
          PageType.DICTIONARY_PAGE,
          layout.codec(),
          EventFormat.MAX_DICTIONARY_BYTES);
      if (isText(type)) {
        textDictionary.load(page);
      } else {
        numberDictionary.load(page, kind(type));
      }
      dictionaryKnown = true;
    } catch (MalformedPageException e) {
      throw corrupt(source, layout.offset(), e);
    }
  }

  private boolean isText(ValueType type) {
    return column == EventColumn.CHANNEL
        || (column == EventColumn.VALUE && type == ValueType.STRING);
  }

  private NumberKind kind(ValueType type) {
    return column == EventColumn.VALUE
        ? NumberKind.of(type)
        : column == EventColumn.TIME || column == EventColumn.LATENESS
            ? NumberKind.INT64
            : NumberKind.INT32;
  }

  private static CorruptBlockException corrupt(
      ByteSource source, long offset, MalformedPageException e) {
    return new CorruptBlockException(source.file(), offset, e.found(), e.expected());
  }

  private static void checkRows(int rows) throws MalformedPageException {
    if (rows < 1 || rows > EventFormat.PAGE_ROWS) {
      throw new MalformedPageException(
          "page of " + rows + " rows", "1 to " + EventFormat.PAGE_ROWS);
    }
  }

  /**
   * Returns the largest decompressed size that the rows can need. No memory is allocated for more.
   */
  private long mostBytes(EventColumns into, int rows) {
    if (column != EventColumn.VALUE || !(into.waveform() || into.type() == ValueType.STRING)) {
      return 256 + 10L * rows;
    }
    return rows == 1 ? EventFormat.MAX_ROW_BYTES * 5L / 4 + 1024 : MAX_BYTES_OF_LISTS;
  }

  private void checkHeader(ColumnLayout layout, int rows, boolean waveform)
      throws MalformedPageException {
    PageHeaderFields header = page.header();
    if (header.encoding() != layout.encoding().parquet().getValue()) {
      throw new MalformedPageException(
          "page of encoding " + header.encoding(), layout.encoding().toString());
    }
    boolean lists = waveform && column == EventColumn.VALUE;
    if (lists ? header.values() < rows : header.values() != rows) {
      throw new MalformedPageException("page of " + header.values() + " values", rows + " rows");
    }
  }

  private void decode(ColumnLayout layout, int row, int rows, EventColumns into)
      throws MalformedPageException {
    switch (column) {
      case CHANNEL -> throw new IllegalArgumentException("the channel column has no array");
      case TIME -> numbers(layout, NumberKind.INT64, into.timeNanos, row, rows);
      case LATENESS -> numbers(layout, NumberKind.INT64, into.latenessNanos, row, rows);
      case VALUE -> values(layout, row, rows, into);
      case STRAY -> strays(layout, row, rows, into);
      case STATE, SEVERITY, STATUS, SEGMENT, TIE -> {
        Long same = numbers.valueOfAll(page, layout.encoding(), numberDictionary, rows);
        if (same != null) {
          ColumnArrays.fill(column, same, into, row, rows);
        } else {
          numbers(layout, NumberKind.INT32, wide, 0, rows);
          ColumnArrays.narrow(column, wide, into, row, rows);
        }
      }
    }
  }

  private void decodeRows(ColumnLayout layout, int pageRows, RowIndices rows, EventColumns into)
      throws MalformedPageException {
    switch (column) {
      case CHANNEL -> throw new IllegalArgumentException("the channel column has no array");
      case TIME -> numbersAt(layout, NumberKind.INT64, pageRows, rows, into.timeNanos);
      case LATENESS -> numbersAt(layout, NumberKind.INT64, pageRows, rows, into.latenessNanos);
      case VALUE -> valuesAt(layout, pageRows, rows, into);
      case STRAY -> straysAt(layout, pageRows, rows, into);
      case STATE, SEVERITY, STATUS, SEGMENT, TIE -> {
        numbersAt(layout, NumberKind.INT32, pageRows, rows, wide);
        ColumnArrays.narrow(column, wide, into, 0, rows.count);
      }
    }
  }

  private void numbersAt(
      ColumnLayout layout, NumberKind kind, int count, RowIndices positions, long[] target)
      throws MalformedPageException {
    numbers.decodeAt(page, 0, layout.encoding(), kind, numberDictionary, count, positions, target);
  }

  private void valuesAt(ColumnLayout layout, int pageRows, RowIndices rows, EventColumns into)
      throws MalformedPageException {
    int count;
    if (into.waveform()) {
      levels.chooseLists(page, pageRows, rows, chosen, into);
      count = levels.values();
    } else {
      levels.decodeScalars(page, pageRows);
      count = levels.values();
      levels.chooseScalars(pageRows, rows, chosen);
    }
    into.ensureElements(chosen.count);
    boolean sparse = !into.waveform() && chosen.count < rows.count;
    int from = levels.valuesFrom();
    if (into.type() == ValueType.STRING) {
      texts.decodeAt(page, from, layout.encoding(), textDictionary, count, chosen, into);
      if (sparse) {
        levels.spreadTexts(into.textStarts, 0, rows.count);
      }
    } else {
      NumberKind kind = NumberKind.of(into.type());
      numbers.decodeAt(
          page, from, layout.encoding(), kind, numberDictionary, count, chosen, into.values);
      if (sparse) {
        levels.spread(into.values, 0, rows.count);
      }
    }
  }

  private void numbers(ColumnLayout layout, NumberKind kind, long[] target, int at, int count)
      throws MalformedPageException {
    numbers.decode(page, 0, layout.encoding(), kind, numberDictionary, target, at, count);
  }

  private void values(ColumnLayout layout, int row, int rows, EventColumns into)
      throws MalformedPageException {
    int element = row;
    if (into.waveform()) {
      if (row == 0) {
        into.listStarts[0] = 0;
      }
      levels.decodeLists(page, rows, into, row);
      element = into.listStarts[row];
      into.ensureElements(element + levels.values());
    } else {
      levels.decodeScalars(page, rows);
    }
    boolean sparse = !into.waveform() && levels.values() < rows;
    if (into.type() == ValueType.STRING) {
      if (element == 0) {
        into.textStarts[0] = 0;
      }
      texts.decode(
          page,
          levels.valuesFrom(),
          layout.encoding(),
          textDictionary,
          into,
          element,
          levels.values());
      if (sparse) {
        levels.spreadTexts(into.textStarts, element, rows);
      }
    } else {
      numbers.decode(
          page,
          levels.valuesFrom(),
          layout.encoding(),
          NumberKind.of(into.type()),
          numberDictionary,
          into.values,
          element,
          levels.values());
      if (sparse) {
        levels.spread(into.values, element, rows);
      }
    }
  }

  private void straysAt(ColumnLayout layout, int pageRows, RowIndices rows, EventColumns into)
      throws MalformedPageException {
    if (layout.encoding() == ColumnEncoding.PLAIN) {
      byte[] bits = bits(pageRows);
      for (int i = 0; i < rows.count; i++) {
        into.stray[i] = bit(bits, rows.at[i]);
      }
      return;
    }
    HybridEncoding.decodeAt(page.bytes(), endOfLength(), page.size(), 1, rows, flags);
    for (int i = 0; i < rows.count; i++) {
      into.stray[i] = (byte) flags[i];
    }
  }

  private void strays(ColumnLayout layout, int row, int rows, EventColumns into)
      throws MalformedPageException {
    if (layout.encoding() == ColumnEncoding.PLAIN) {
      byte[] bits = bits(rows);
      for (int i = 0; i < rows; i++) {
        into.stray[row + i] = bit(bits, i);
      }
      return;
    }
    int from = endOfLength();
    byte[] bytes = page.bytes();
    int same = HybridEncoding.valueOfAll(bytes, from, page.size(), 1, rows);
    if (same >= 0) {
      ColumnArrays.fill(column, same, into, row, rows);
      return;
    }
    HybridEncoding.decode(bytes, from, page.size(), 1, flags, 0, rows);
    for (int i = 0; i < rows; i++) {
      into.stray[row + i] = (byte) flags[i];
    }
  }

  private static byte bit(byte[] bits, int row) {
    return (byte) (bits[row >> 3] >> (row & 7) & 1);
  }

  private byte[] bits(int rows) throws MalformedPageException {
    int bytes = (rows + Byte.SIZE - 1) / Byte.SIZE;
    if (page.size() != bytes) {
      throw new MalformedPageException(page.size() + " bytes of booleans", bytes + " bytes");
    }
    return page.bytes();
  }

  /** Returns the index behind the length field of a page of booleans. */
  private int endOfLength() throws MalformedPageException {
    if (page.size() < 4 || LittleEndian.getInt(page.bytes(), 0) != page.size() - 4) {
      throw new MalformedPageException("booleans of another length", page.size() - 4 + " bytes");
    }
    return 4;
  }
}
