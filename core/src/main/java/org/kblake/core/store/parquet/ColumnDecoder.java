package org.kblake.core.store.parquet;

import java.util.Arrays;
import org.apache.parquet.format.PageType;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.CorruptBlockException;
import org.kblake.core.store.EventColumns;

/** Decodes one of the columns, page after page, into the arrays that hold it. */
final class ColumnDecoder {

  /** Values of 4 bytes of the largest page of more than one row, and levels. */
  private static final long MOST_BYTES_OF_LISTS = 3L * EventFormat.PAGE_BYTES;

  private final EventColumn column;
  private final PageBody page;
  private final LevelDecoder levels;
  private final NumberPageDecoder numbers;
  private final TextPageDecoder texts;
  private final NumberDictionary numberDictionary = new NumberDictionary();
  private final TextDictionaryPage textDictionary = new TextDictionaryPage();
  private final long[] wide;
  private final int[] flags;
  private boolean dictionaryKnown;

  ColumnDecoder(EventColumn column, DecodeScratch scratch) {
    this.column = column;
    page = scratch.page;
    levels = scratch.levels;
    numbers = scratch.numbers;
    texts = scratch.texts;
    wide = scratch.wide;
    flags = scratch.flags;
  }

  boolean needsDictionary() {
    return !dictionaryKnown;
  }

  void forgetDictionary() {
    dictionaryKnown = false;
    numberDictionary.clear();
    textDictionary.clear();
  }

  TextDictionaryPage textDictionary() {
    return textDictionary;
  }

  /** Decodes pages into rows from the first on. Room for the rows is there. */
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
      fill(into, constant, pageRows[endPage] - firstRow);
      return;
    }
    loadDictionary(source, fetched, layout, into.type());
    for (int number = firstPage; number < endPage; number++) {
      int rows = pageRows[number + 1] - pageRows[number];
      long offset = layout.offset() + layout.pageStarts()[number];
      int length = layout.pageStarts()[number + 1] - layout.pageStarts()[number];
      try {
        checkRows(rows);
        page.open(
            fetched.buffer(),
            fetched.place(offset),
            length,
            PageType.DATA_PAGE,
            layout.codec(),
            mostBytes(into, rows));
        checkHeader(layout, rows, into.waveform());
        decode(layout, pageRows[number] - firstRow, rows, into);
      } catch (MalformedPageException e) {
        throw corrupt(source, offset, e);
      }
    }
  }

  /** Takes in the dictionary page, unless it is known from a read before. */
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

  /** What the rows can need at most, uncompressed: nothing larger is made room for. */
  private long mostBytes(EventColumns into, int rows) {
    if (column != EventColumn.VALUE || !(into.waveform() || into.type() == ValueType.STRING)) {
      return 256 + 10L * rows;
    }
    return rows == 1 ? EventFormat.MAX_ROW_BYTES * 5L / 4 + 1024 : MOST_BYTES_OF_LISTS;
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
      case STRAY -> strays(row, rows, into);
      case STATE, SEVERITY, STATUS, SEGMENT, TIE -> {
        numbers(layout, NumberKind.INT32, wide, 0, rows);
        narrow(row, rows, into);
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

  private void strays(int row, int rows, EventColumns into) throws MalformedPageException {
    byte[] bytes = page.bytes();
    if (page.size() < 4 || LittleEndian.getInt(bytes, 0) != page.size() - 4) {
      throw new MalformedPageException("booleans of another length", page.size() - 4 + " bytes");
    }
    HybridEncoding.decode(bytes, 4, page.size(), 1, flags, 0, rows);
    for (int i = 0; i < rows; i++) {
      into.stray[row + i] = (byte) flags[i];
    }
  }

  private void narrow(int row, int rows, EventColumns into) {
    switch (column) {
      case STATE -> {
        for (int i = 0; i < rows; i++) {
          into.state[row + i] = (byte) wide[i];
        }
      }
      case SEVERITY -> {
        for (int i = 0; i < rows; i++) {
          into.severity[row + i] = (byte) wide[i];
        }
      }
      case STATUS -> {
        for (int i = 0; i < rows; i++) {
          into.status[row + i] = (short) wide[i];
        }
      }
      case SEGMENT -> {
        for (int i = 0; i < rows; i++) {
          into.segment[row + i] = (int) wide[i];
        }
      }
      case TIE -> {
        for (int i = 0; i < rows; i++) {
          into.tie[row + i] = (int) wide[i];
        }
      }
      case CHANNEL, TIME, VALUE, STRAY, LATENESS ->
          throw new IllegalArgumentException(column + " is no narrow number");
    }
  }

  private void fill(EventColumns into, long value, int rows) {
    switch (column) {
      case CHANNEL -> throw new IllegalArgumentException("the channel column has no array");
      case TIME -> Arrays.fill(into.timeNanos, 0, rows, value);
      case VALUE -> Arrays.fill(into.values, 0, rows, value);
      case STATE -> Arrays.fill(into.state, 0, rows, (byte) value);
      case SEVERITY -> Arrays.fill(into.severity, 0, rows, (byte) value);
      case STATUS -> Arrays.fill(into.status, 0, rows, (short) value);
      case STRAY -> Arrays.fill(into.stray, 0, rows, (byte) value);
      case SEGMENT -> Arrays.fill(into.segment, 0, rows, (int) value);
      case LATENESS -> Arrays.fill(into.latenessNanos, 0, rows, value);
      case TIE -> Arrays.fill(into.tie, 0, rows, (int) value);
    }
  }
}
