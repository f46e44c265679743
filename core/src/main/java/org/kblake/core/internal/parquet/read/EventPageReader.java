package org.kblake.core.internal.parquet.read;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.ByteSource;
import org.kblake.core.columns.CorruptBlockException;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.FetchedBytes;
import org.kblake.core.internal.parquet.file.RowGroupLayout;

/**
 * Decodes pages of a row group into columns. Reusable for any file, not thread safe. It keeps its
 * buffers, and the dictionaries of the last row group.
 *
 * <p>Each column needs at most one read of the file. Adjacent columns are read together. A
 * dictionary that lies more than 1 MiB before the pages needs a read of its own. The checksum of
 * each page and each length are checked before use.
 */
public final class EventPageReader {

  /**
   * The largest number of bytes between a dictionary and the requested pages that one read
   * includes.
   */
  private static final int DICTIONARY_GAP = 1 << 20;

  private final FetchedBytes fetched = new FetchedBytes();
  private final ColumnDecoder[] decoders = new ColumnDecoder[EventColumn.count()];
  private @Nullable ByteSource lastSource;
  private long lastOffset;

  /** Creates a reader that may be used for any file. */
  public EventPageReader() {
    DecodeScratch scratch = new DecodeScratch();
    for (int i = 0; i < decoders.length; i++) {
      decoders[i] = new ColumnDecoder(EventColumn.of(i), scratch);
    }
  }

  /**
   * Replaces the contents of the columns by whole pages of a row group.
   *
   * @param source the file
   * @param rowGroup the layout of the row group
   * @param firstPage the first page, by its number in the layout
   * @param endPage the page behind the last
   * @param wanted the columns to decode; the arrays of other columns stay unchanged, {@link
   *     EventColumn#CHANNEL} is ignored
   * @param into columns of the file's type
   * @throws CorruptBlockException if a page is damaged
   */
  public void read(
      ByteSource source,
      RowGroupLayout rowGroup,
      int firstPage,
      int endPage,
      Set<EventColumn> wanted,
      EventColumns into)
      throws IOException {
    dropOtherDictionaries(source, rowGroup);
    into.count = 0;
    fetch(source, rowGroup, firstPage, endPage, wanted);
    into.ensureRows(rowGroup.pageRows()[endPage] - rowGroup.pageRows()[firstPage]);
    for (EventColumn column : EventColumn.inOrder()) {
      if (column != EventColumn.CHANNEL && wanted.contains(column)) {
        decoders[column.ordinal()].read(source, fetched, rowGroup, firstPage, endPage, into);
      }
    }
    into.count = rowGroup.pageRows()[endPage] - rowGroup.pageRows()[firstPage];
  }

  /**
   * Replaces the contents of the columns by some rows of a page. Other rows are not decoded if the
   * encoding allows that.
   *
   * @param page the page, by its number in the layout
   * @param rows the rows, counted from the page's first, below {@code pageRows[page + 1] -
   *     pageRows[page]}
   * @param wanted the columns to decode, as in {@link #read}
   */
  public void readRows(
      ByteSource source,
      RowGroupLayout rowGroup,
      int page,
      RowIndices rows,
      Set<EventColumn> wanted,
      EventColumns into)
      throws IOException {
    dropOtherDictionaries(source, rowGroup);
    into.count = 0;
    fetch(source, rowGroup, page, page + 1, wanted);
    into.ensureRows(rows.count);
    for (EventColumn column : EventColumn.inOrder()) {
      if (column != EventColumn.CHANNEL && wanted.contains(column)) {
        decoders[column.ordinal()].readRows(source, fetched, rowGroup, page, rows, into);
      }
    }
    into.count = rows.count;
  }

  private void dropOtherDictionaries(ByteSource source, RowGroupLayout rowGroup) {
    long offset = rowGroup.column(EventColumn.TIME).offset();
    if (!source.equals(lastSource) || offset != lastOffset) {
      for (ColumnDecoder decoder : decoders) {
        decoder.dropDictionary();
      }
      lastSource = source;
      lastOffset = offset;
    }
  }

  private void fetch(
      ByteSource source,
      RowGroupLayout rowGroup,
      int firstPage,
      int endPage,
      Set<EventColumn> wanted)
      throws IOException {
    fetched.begin();
    for (EventColumn column : EventColumn.inOrder()) {
      ColumnLayout layout = rowGroup.column(column);
      if (column == EventColumn.CHANNEL || !wanted.contains(column) || layout.constant() != null) {
        continue;
      }
      int gap = 0;
      if (layout.dictionaryBytes() > 0 && decoders[column.ordinal()].needsDictionary()) {
        fetched.request(layout.offset(), layout.dictionaryBytes(), 0);
        gap = DICTIONARY_GAP;
      }
      int from = layout.pageStarts()[firstPage];
      int bytes = layout.pageStarts()[endPage] - from;
      if (layout.offset() < 0 || from < 0 || bytes < 0) {
        throw new CorruptBlockException(
            source.file(),
            layout.offset(),
            column.text() + " pages from " + from + " on, " + bytes + " bytes",
            "consecutive pages");
      }
      fetched.request(layout.offset() + from, bytes, gap);
    }
    fetched.read(source);
  }
}
