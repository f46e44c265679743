package org.kblake.core.internal.parquet.read;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.columns.CorruptBlockException;
import org.kblake.core.internal.parquet.encoding.RowIndices;
import org.kblake.core.internal.parquet.file.ByteSource;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventColumn;
import org.kblake.core.internal.parquet.file.FetchedBytes;
import org.kblake.core.internal.parquet.file.RowGroupLayout;

/**
 * Decodes pages of a row group into columns. Reusable for any file, not thread safe. Keeps its
 * buffers and the dictionaries of the row group it read last.
 *
 * <p>What is wanted of a row group is fetched with at most one read per column, neighbours in one
 * read together; only where a dictionary lies more than 1 MiB before the pages does it take its own
 * read. Every page's checksum and every length is checked before it is used.
 */
public final class EventPageReader {

  /** Pages between a dictionary and the wanted ones are read along, up to so many bytes. */
  private static final int DICTIONARY_GAP = 1 << 20;

  private final FetchedBytes fetched = new FetchedBytes();
  private final ColumnDecoder[] decoders = new ColumnDecoder[EventColumn.count()];
  private @Nullable ByteSource lastSource;
  private long lastOffset;

  /** Makes a reader that may be used for any file. */
  public EventPageReader() {
    DecodeScratch scratch = new DecodeScratch();
    for (int i = 0; i < decoders.length; i++) {
      decoders[i] = new ColumnDecoder(EventColumn.of(i), scratch);
    }
  }

  /**
   * Replaces what is in the columns by whole pages of a row group.
   *
   * @param source the file
   * @param rowGroup where its pages are
   * @param firstPage the first page, as the layout counts them
   * @param endPage the page behind the last
   * @param wanted columns to decode; the arrays of others keep what they hold, {@link
   *     EventColumn#CHANNEL} is ignored
   * @param into of the file's type
   * @throws CorruptBlockException if a page is not what was written
   */
  public void read(
      ByteSource source,
      RowGroupLayout rowGroup,
      int firstPage,
      int endPage,
      Set<EventColumn> wanted,
      EventColumns into)
      throws IOException {
    forgetOthers(source, rowGroup);
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
   * Replaces what is in the columns by some rows of a page. Their values are looked for where they
   * stand and those between are not decoded, where the encoding allows that.
   *
   * @param page as the layout counts them
   * @param rows of the page, counted from its first, below {@code pageRows[page + 1] -
   *     pageRows[page]}
   * @param wanted columns to decode, as in {@link #read}
   */
  public void readRows(
      ByteSource source,
      RowGroupLayout rowGroup,
      int page,
      RowIndices rows,
      Set<EventColumn> wanted,
      EventColumns into)
      throws IOException {
    forgetOthers(source, rowGroup);
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

  private void forgetOthers(ByteSource source, RowGroupLayout rowGroup) {
    long offset = rowGroup.column(EventColumn.TIME).offset();
    if (!source.equals(lastSource) || offset != lastOffset) {
      for (ColumnDecoder decoder : decoders) {
        decoder.forgetDictionary();
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
        fetched.want(layout.offset(), layout.dictionaryBytes(), 0);
        gap = DICTIONARY_GAP;
      }
      int from = layout.pageStarts()[firstPage];
      int bytes = layout.pageStarts()[endPage] - from;
      if (layout.offset() < 0 || from < 0 || bytes < 0) {
        throw new CorruptBlockException(
            source.file(),
            layout.offset(),
            column.text() + " pages from " + from + " on, " + bytes + " bytes",
            "pages one behind the other");
      }
      fetched.want(layout.offset() + from, bytes, gap);
    }
    fetched.read(source);
  }
}
