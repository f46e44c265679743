package org.kblake.core.internal.parquet.write;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumn;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.ColumnLayout;
import org.kblake.core.internal.parquet.file.EventFileSchema;

/** Appends one column chunk to a row group, and records the positions of its pages. */
public final class ChunkWriter {

  /** The columns whose pages have smallest and largest values. */
  private static final Set<EventColumn> SEARCHED =
      EnumSet.of(EventColumn.CHANNEL, EventColumn.TIME, EventColumn.VALUE);

  private final EventFileSchema schema;
  private final EventColumn column;
  private final EncodingChoice choice;
  private final int[] pageRows;
  private final int[] pageStarts;
  private final int begin;
  private final PageWriter pages;
  private int count;

  /**
   * @param out the row group
   * @param choice the encoding and compression of pages
   * @param pageRows the first row of each page, and as the last element the number of rows
   * @param compressed a buffer for temporary use
   */
  public ChunkWriter(
      ByteOutput out,
      EventFileSchema schema,
      EventColumn column,
      EncodingChoice choice,
      int[] pageRows,
      ByteOutput compressed) {
    this.schema = schema;
    this.column = column;
    this.choice = choice;
    this.pageRows = pageRows;
    this.pageStarts = new int[pageRows.length];
    this.begin = out.size;
    this.pages = new PageWriter(out, choice, compressed);
  }

  /** Appends the dictionary page, which must be the first page. */
  public void dictionary(ByteOutput body, int values) {
    pages.dictionary(body, values);
  }

  /** Appends the next data page. */
  public void page(ByteOutput body, int entries) {
    page(body, null, entries);
  }

  /**
   * Appends the next data page.
   *
   * @param ready the body as the choice compresses it; null if it is not compressed yet
   */
  void page(ByteOutput body, @Nullable ByteOutput ready, int entries) {
    pageStarts[count++] = pages.bytes();
    pages.page(body, ready, entries, choice.encoding());
  }

  /**
   * Ends the chunk.
   *
   * @param constant see {@link ColumnLayout#constant}
   */
  public EncodedColumn finish(ChunkStatistics<?> statistics, @Nullable Long constant) {
    pageStarts[count] = pages.bytes();
    ColumnMetaData metaData =
        pages.metaData(schema.physicalType(column), schema.path(column), begin);
    metaData.setStatistics(statistics.chunk());
    ColumnIndex columnIndex =
        SEARCHED.contains(column) && constant == null ? statistics.pages() : null;
    return new EncodedColumn(
        metaData,
        columnIndex,
        count > 1 ? offsetIndex() : null,
        new ColumnLayout(
            choice.encoding(),
            choice.codec(),
            constant,
            begin,
            pages.dictionaryBytes(),
            pageStarts));
  }

  private OffsetIndex offsetIndex() {
    List<PageLocation> locations = new ArrayList<>(count);
    for (int page = 0; page < count; page++) {
      locations.add(
          new PageLocation(
              begin + (long) pageStarts[page],
              pageStarts[page + 1] - pageStarts[page],
              pageRows[page]));
    }
    return new OffsetIndex(locations);
  }
}
