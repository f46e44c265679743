package org.kblake.core.internal.store.rollup;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.kblake.core.internal.parquet.encoding.MalformedPageException;
import org.kblake.core.internal.parquet.file.FetchedBytes;
import org.kblake.core.model.ValueType;

/** The rows of a channel and a width in a rollup file. Valid while the file is open. */
public final class RollupTable {

  private static final int COLUMNS_AT = 4 + 2 * 8;

  private final RollupFile file;
  private final String channel;
  private final ValueType type;
  private final long widthNanos;
  private final int rows;
  private final long events;
  private final int firstPage;
  private final int pages;
  private final RollupPageDecoder decoder = new RollupPageDecoder();
  private final FetchedBytes fetched = new FetchedBytes();

  RollupTable(
      RollupFile file,
      String channel,
      ValueType type,
      long widthNanos,
      int rows,
      long events,
      int firstPage,
      int pages) {
    this.file = file;
    this.channel = channel;
    this.type = type;
    this.widthNanos = widthNanos;
    this.rows = rows;
    this.events = events;
    this.firstPage = firstPage;
    this.pages = pages;
  }

  public String channel() {
    return channel;
  }

  /** Returns the type of the channel's values. */
  public ValueType type() {
    return type;
  }

  /** Returns the width of the rows, nanoseconds. */
  public long widthNanos() {
    return widthNanos;
  }

  /** Returns the number of rows. */
  public int rows() {
    return rows;
  }

  /** Returns the number of rows that the channel has in the block, strays included. */
  public long events() {
    return events;
  }

  /**
   * Reads the pages with rows of a range of time.
   *
   * @param fromNanos rows whose bins end later are wanted
   * @param toNanos rows whose bins begin earlier are wanted
   * @param wanted the columns; those that tell which rows have a value are added
   * @return rows whose other columns have no meaning
   */
  public RollupRows read(long fromNanos, long toNanos, Set<RollupColumn> wanted)
      throws IOException {
    Set<RollupColumn> columns = EnumSet.copyOf(wanted);
    columns.add(RollupColumn.BIN);
    columns.add(RollupColumn.COUNT);
    columns.add(RollupColumn.NAN);
    ByteBuffer entries = file.pages(firstPage, pages);
    RollupRows into = new RollupRows(Math.min(rows, Rollups.PAGE_ROWS));
    int seen = 0;
    for (int page = 0; page < pages; page++) {
      int at = page * RollupDirectoryLayout.PAGE_BYTES;
      int count = entries.getInt(at);
      if (count < 1 || count > Rollups.PAGE_ROWS) {
        throw corrupt(count + " rows in a page", "1 to " + Rollups.PAGE_ROWS);
      }
      seen += count;
      long firstBin = entries.getLong(at + 4);
      long lastBin = entries.getLong(at + 12);
      if (firstBin < toNanos && lastBin + widthNanos > fromNanos) {
        read(entries, at, count, columns, into);
      }
    }
    if (seen != rows) {
      throw corrupt(seen + " rows in pages", rows + " rows");
    }
    check(into);
    return into;
  }

  private void read(
      ByteBuffer entries, int at, int count, Set<RollupColumn> columns, RollupRows into)
      throws IOException {
    int base = into.count();
    into.setCount(base + count);
    fetched.begin();
    for (RollupColumn column : columns) {
      long offset = entries.getLong(at + COLUMNS_AT + column.ordinal() * 12);
      int bytes = entries.getInt(at + COLUMNS_AT + column.ordinal() * 12 + 8);
      if (offset < 0 || bytes < 0 || offset > file.endOfPages() - bytes) {
        throw corrupt("a page at " + offset, "a page inside the file");
      }
      // Columns follow each other in a row group.
      fetched.request(offset, bytes, 0);
    }
    fetched.read(file.source());
    for (RollupColumn column : columns) {
      long offset = entries.getLong(at + COLUMNS_AT + column.ordinal() * 12);
      int bytes = entries.getInt(at + COLUMNS_AT + column.ordinal() * 12 + 8);
      try {
        decoder.decode(fetched, offset, bytes, column, file.codec(), into, base, count);
      } catch (MalformedPageException e) {
        throw RollupFile.corrupt(file.source(), offset, e.found(), e.expected());
      }
    }
  }

  private void check(RollupRows read) throws IOException {
    long before = Long.MIN_VALUE;
    for (int row = 0; row < read.count(); row++) {
      long bin = read.integer(RollupColumn.BIN, row);
      if (row > 0 && bin <= before || Math.floorMod(bin, widthNanos) != 0) {
        throw corrupt("bin " + bin + " behind " + before, "ascending multiples of the width");
      }
      before = bin;
    }
  }

  private IOException corrupt(String found, String expected) {
    return RollupFile.corrupt(file.source(), 0, channel + ": " + found, expected);
  }
}
