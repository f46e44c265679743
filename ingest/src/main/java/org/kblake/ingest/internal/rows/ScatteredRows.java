package org.kblake.ingest.internal.rows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.internal.log.encode.RecordStates;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.ingest.internal.rows.RowMemory.Slab;

/**
 * The rows of a block, scattered over memory as they arrive. Each series has a chain of extents.
 * These lie in slabs, and double in size up to {@link #LARGEST_EXTENT_BYTES}. There is no object
 * per event and no array per channel. Neighbouring rows of a series are mostly neighbours in
 * memory. An address is a slab's number and a position in the slab.
 *
 * <pre>
 *   EXTENT  address of the next i64 | rows i32 | 0 i32 | ROW ...
 *   ROW     time i64 | value i64 | state u2, severity u2, stray u1, late u1 in a u16 | status u16
 *           | segment i32
 *           and only if late: lateness i64 | tie i32 | 0 i32
 * </pre>
 *
 * The value is the element's bits. For strings and waveforms it is the address in {@link
 * ValueSlabs}.
 *
 * <p>Many threads may read after the last row was added.
 */
public final class ScatteredRows implements RowSource {

  static final int ROW_BYTES = 24;
  static final int LATE_ROW_BYTES = 40;
  static final int EXTENT_HEAD_BYTES = 16;
  private static final int FIRST_EXTENT_BYTES = 128;
  private static final int LARGEST_EXTENT_BYTES = 1 << 14;

  /** The bytes of most rows, without the values of strings and waveforms. */
  public static final int BYTES_PER_ROW = ROW_BYTES;

  static final int VALUE_AT = 8;
  static final int FLAGS_AT = 16;
  static final int LATENESS_AT = 24;
  static final int TIE_AT = 32;

  private static final int STRAY = 16;
  static final int LATE = 32;

  private static final int SLAB_SHIFT = Integer.numberOfTrailingZeros(RowMemory.SLAB_BYTES);
  static final int SLAB_MASK = RowMemory.SLAB_BYTES - 1;
  static final long NOWHERE = -1;

  /** The limit of rows of a block, because row numbers in files are ints. */
  private static final long MAX_ROWS = 1 << 30;

  private final RowMemory memory;
  private final ValueSlabs values;
  private final List<Slab> rowSlabs = new ArrayList<>();
  private ByteBuffer[] slabs = new ByteBuffer[16];
  private long rows;
  private int slabAt = RowMemory.SLAB_BYTES;

  private long[] firstExtent = new long[0];
  private long[] extent = new long[0];
  private int[] extentBytes = new int[0];
  private int[] extentRows = new int[0];
  private long[] next = new long[0];
  private long[] limit = new long[0];
  private long[] lastRow = new long[0];
  private long[] lastValue = new long[0];
  private long[] seriesRows = new long[0];
  private long[] seriesBytes = new long[0];
  private long[] longestValue = new long[0];

  public ScatteredRows(RowMemory memory) {
    this.memory = memory;
    this.values = new ValueSlabs(memory);
  }

  /** Returns the number of rows of all series. */
  public long rows() {
    return rows;
  }

  @Override
  public long rows(int series) {
    return series < seriesRows.length ? seriesRows[series] : 0;
  }

  @Override
  public long bytes(int series) {
    return series < seriesBytes.length ? seriesBytes[series] + seriesRows[series] * Long.BYTES : 0;
  }

  @Override
  public long longestRow(int series) {
    return Long.BYTES + (series < longestValue.length ? longestValue[series] : 0);
  }

  /** Returns 1, because all rows are in memory. */
  @Override
  public int together(List<List<RowRange>> rowGroups, int from) {
    return 1;
  }

  @Override
  public Rows open(List<List<RowRange>> rowGroups) {
    return new Rows() {
      @Override
      public void feed(List<RowRange> rowGroup, EventColumns batch, Sink sink) {
        ScatteredRows.this.feed(rowGroup, batch, sink);
      }

      @Override
      public void close() {}
    };
  }

  private void feed(List<RowRange> rowGroup, EventColumns batch, Sink sink) {
    for (RowRange range : rowGroup) {
      sink.series(range.series());
      RowCursor cursor = cursor(range.series());
      cursor.skip(range.fromRow());
      for (long row = range.fromRow(); row < range.toRow(); row += batch.count) {
        cursor.read((int) Math.min(EventColumns.PAGE_ROWS, range.toRow() - row), batch);
        sink.rows(batch);
      }
    }
  }

  /**
   * Adds a row of columns.
   *
   * @param segment the segment of the row, in place of the one in the columns
   */
  public void add(int series, EventColumns from, int row, int segment) throws IOException {
    boolean value = from.state[row] == EventState.VALUE_CODE;
    boolean number = !from.waveform() && from.type() != ValueType.STRING;
    long bits = 0;
    if (value) {
      bits = number ? from.values[row] : addValue(series, from, row);
    }
    add(
        series,
        from.timeNanos[row],
        bits,
        from.state[row],
        from.severity[row],
        Short.toUnsignedInt(from.status[row]),
        from.stray[row] != 0,
        segment,
        from.latenessNanos[row],
        from.tie[row]);
  }

  /** Adds a row whose value is a number, or that has no value (bits 0). */
  public void add(
      int series,
      long timeNanos,
      long bits,
      int state,
      int severity,
      int status,
      boolean stray,
      int segment,
      long latenessNanos,
      int tie)
      throws IOException {
    if (series >= next.length) {
      growSeries(series);
    }
    boolean late = (latenessNanos | tie) != 0;
    int bytes = late ? LATE_ROW_BYTES : ROW_BYTES;
    long address = next[series];
    if (limit[series] - address < bytes) {
      address = addExtent(series);
    }
    ByteBuffer slab = slabs[(int) (address >>> SLAB_SHIFT)];
    int at = (int) address & SLAB_MASK;
    slab.putLong(at, timeNanos);
    slab.putLong(at + VALUE_AT, bits);
    int flags = state | severity << 2 | (stray ? STRAY : 0) | (late ? LATE : 0);
    slab.putLong(at + FLAGS_AT, (long) segment << 32 | (long) status << 16 | flags);
    if (late) {
      slab.putLong(at + LATENESS_AT, latenessNanos);
      slab.putInt(at + TIE_AT, tie);
    }
    next[series] = address + bytes;
    lastRow[series] = address;
    if (state == EventState.VALUE_CODE) {
      lastValue[series] = address;
    }
    seriesRows[series]++;
    extentRows[series]++;
    rows++;
  }

  /** Adds an extent to a series whose last one is full. Returns the address of its first row. */
  private long addExtent(int series) throws IOException {
    closeExtent(series);
    int bytes = bytesAfter(extentBytes[series]);
    if (RowMemory.SLAB_BYTES - slabAt < bytes) {
      addSlab();
    }
    long address = (long) (rowSlabs.size() - 1) << SLAB_SHIFT | slabAt;
    slabAt += bytes;
    if (extent[series] == NOWHERE) {
      firstExtent[series] = address;
    } else {
      slab(extent[series]).putLong((int) extent[series] & SLAB_MASK, address);
    }
    extent[series] = address;
    extentBytes[series] = bytes;
    limit[series] = address + bytes;
    return address + EXTENT_HEAD_BYTES;
  }

  /**
   * Returns the bytes of the extent after one of a size.
   *
   * @param bytes the size; 0 for the first extent
   */
  static int bytesAfter(int bytes) {
    return bytes == 0 ? FIRST_EXTENT_BYTES : Math.min(LARGEST_EXTENT_BYTES, 2 * bytes);
  }

  private void closeExtent(int series) {
    if (extent[series] != NOWHERE) {
      slab(extent[series])
          .putInt(((int) extent[series] & SLAB_MASK) + Long.BYTES, extentRows[series]);
      extentRows[series] = 0;
    }
  }

  private void addSlab() throws IOException {
    Slab slab = memory.slab();
    if (rowSlabs.size() == slabs.length) {
      slabs = Arrays.copyOf(slabs, 2 * slabs.length);
    }
    slabs[rowSlabs.size()] = slab.bytes();
    rowSlabs.add(slab);
    slabAt = 0;
  }

  ByteBuffer slab(long address) {
    return slabs[(int) (address >>> SLAB_SHIFT)];
  }

  private void growSeries(int series) {
    int known = next.length;
    int size = Math.max(series + 1, Math.max(1024, known * 2));
    firstExtent = Arrays.copyOf(firstExtent, size);
    extent = Arrays.copyOf(extent, size);
    extentBytes = Arrays.copyOf(extentBytes, size);
    extentRows = Arrays.copyOf(extentRows, size);
    next = Arrays.copyOf(next, size);
    limit = Arrays.copyOf(limit, size);
    lastRow = Arrays.copyOf(lastRow, size);
    lastValue = Arrays.copyOf(lastValue, size);
    seriesRows = Arrays.copyOf(seriesRows, size);
    seriesBytes = Arrays.copyOf(seriesBytes, size);
    longestValue = Arrays.copyOf(longestValue, size);
    Arrays.fill(firstExtent, known, size, NOWHERE);
    Arrays.fill(extent, known, size, NOWHERE);
    Arrays.fill(lastRow, known, size, NOWHERE);
    Arrays.fill(lastValue, known, size, NOWHERE);
  }

  /**
   * Stores the value of a string's or waveform's row.
   *
   * @param series the series that the row will be added to
   * @return the bits for the row
   */
  public long addValue(int series, EventColumns from, int row) throws IOException {
    if (series >= next.length) {
      growSeries(series);
    }
    noteValue(series, ValueSlabs.columnBytes(from, row));
    return values.add(from, row);
  }

  /**
   * Returns whether the budget of memory is used up, or the block has the largest number of rows.
   */
  public boolean full() {
    return memory.full() || rows >= MAX_ROWS;
  }

  /**
   * Applies the last row and the last value of a series of numbers to record states.
   *
   * @param series a series that has rows
   * @param appliedValue the address of the last value that was applied to the states
   */
  public void applyLast(int series, RecordStates states, int ordinal, long appliedValue) {
    long value = lastValue[series];
    if (value != appliedValue) {
      ByteBuffer slab = slab(value);
      int at = (int) value & SLAB_MASK;
      int flags = slab.getInt(at + FLAGS_AT);
      states.applyNumber(
          ordinal, slab.getLong(at), flags >>> 2 & 3, flags >>> 16, slab.getLong(at + VALUE_AT));
    }
    long last = lastRow[series];
    if (last != value) {
      ByteBuffer slab = slab(last);
      int at = (int) last & SLAB_MASK;
      states.applyConnection(ordinal, slab.getLong(at), slab.getInt(at + FLAGS_AT) & 3);
    }
  }

  /** Returns the address of the last value of a series. It increases with each value. */
  public long lastValue(int series) {
    return series < lastValue.length ? lastValue[series] : NOWHERE;
  }

  /** Returns a cursor before the first row of a series. */
  RowCursor cursor(int series) {
    return new RowCursor(this, series);
  }

  /** Returns the address of the first extent of a series that has rows. */
  long firstExtent(int series) {
    return firstExtent[series];
  }

  /** Returns whether rows are still added to an extent. Then its head is not written yet. */
  boolean isOpen(int series, long address) {
    return address == extent[series];
  }

  /** Returns the number of rows of the open extent of a series. */
  int openRows(int series) {
    return extentRows[series];
  }

  /** Returns the values of strings and waveforms. */
  ValueSlabs values() {
    return values;
  }

  /**
   * Removes the rows of a segment and of all later ones. These are the last rows of each series.
   * {@link #clear} frees their memory.
   *
   * @param numbered the series by their numbers
   */
  public void removeFrom(int fromSegment, List<Series> numbered) {
    for (int series = 0; series < numbered.size(); series++) {
      if (rows(series) > 0 && segmentAt(lastRow[series]) >= fromSegment) {
        removeFrom(series, fromSegment, numbered.get(series));
      }
    }
  }

  private int segmentAt(long row) {
    return slab(row).getInt(((int) row & SLAB_MASK) + FLAGS_AT + Integer.BYTES);
  }

  private void removeFrom(int series, int fromSegment, Series of) {
    boolean number = !of.waveform() && of.type() != ValueType.STRING;
    EventColumns row = new EventColumns(of.type(), of.waveform(), 1);
    RowCursor cursor = cursor(series);
    long before = seriesRows[series];
    long kept = 0;
    lastRow[series] = NOWHERE;
    lastValue[series] = NOWHERE;
    seriesBytes[series] = 0;
    longestValue[series] = 0;
    while (cursor.next() && cursor.segment() < fromSegment) {
      kept++;
      lastRow[series] = cursor.address();
      if (cursor.state() == EventState.VALUE_CODE) {
        lastValue[series] = cursor.address();
        if (!number) {
          cursor.copy(row);
          noteValue(series, ValueSlabs.columnBytes(row, 0));
        }
      }
    }
    // The cursor is at the first removed row. New rows are added there.
    extent[series] = cursor.extent();
    extentBytes[series] = cursor.extentBytes();
    extentRows[series] = cursor.rowsBeforeInExtent();
    next[series] = cursor.address();
    limit[series] = cursor.extent() + cursor.extentBytes();
    seriesRows[series] = kept;
    rows -= before - kept;
  }

  private void noteValue(int series, long bytes) {
    seriesBytes[series] += bytes;
    longestValue[series] = Math.max(longestValue[series], bytes);
  }

  /** Removes all rows, and returns the memory to the budget. */
  public void clear() {
    rowSlabs.forEach(memory::release);
    values.clear();
    rowSlabs.clear();
    Arrays.fill(slabs, null);
    Arrays.fill(firstExtent, NOWHERE);
    Arrays.fill(extent, NOWHERE);
    Arrays.fill(extentBytes, 0);
    Arrays.fill(extentRows, 0);
    Arrays.fill(next, 0);
    Arrays.fill(limit, 0);
    Arrays.fill(lastRow, NOWHERE);
    Arrays.fill(lastValue, NOWHERE);
    Arrays.fill(seriesRows, 0);
    Arrays.fill(seriesBytes, 0);
    Arrays.fill(longestValue, 0);
    rows = 0;
    slabAt = RowMemory.SLAB_BYTES;
  }
}
