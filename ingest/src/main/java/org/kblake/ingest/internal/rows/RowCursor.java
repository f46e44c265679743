package org.kblake.ingest.internal.rows;

import java.nio.ByteBuffer;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/** A cursor over the rows of a series in {@link ScatteredRows}. For one thread. */
public final class RowCursor {
  private static final ByteBuffer NO_BYTES = ByteBuffer.allocate(0);

  private final ScatteredRows rows;
  private final int series;
  private long left;
  private long extent = ScatteredRows.NOWHERE;
  private int extentBytes;
  private int extentRows;
  private int extentLeft;
  private long nextExtent;
  private ByteBuffer slab = NO_BYTES;
  private int at;
  private int bytes;

  RowCursor(ScatteredRows rows, int series) {
    this.rows = rows;
    this.series = series;
    left = rows.rows(series);
    if (left > 0) {
      enter(rows.firstExtent(series));
    }
  }

  /** Makes a cursor that only {@link #stand} moves. */
  RowCursor(ScatteredRows rows) {
    this.rows = rows;
    this.series = -1;
  }

  /**
   * Moves to the row at an address. {@link #next} must not be called afterwards.
   *
   * @param address as from {@link #address}
   */
  void stand(long address) {
    slab = rows.slab(address);
    extent = address & ~(long) ScatteredRows.SLAB_MASK;
    at = (int) address & ScatteredRows.SLAB_MASK;
    bytes = rowBytes();
  }

  private int rowBytes() {
    return (slab.getShort(at + ScatteredRows.FLAGS_AT) & ScatteredRows.LATE) != 0
        ? ScatteredRows.LATE_ROW_BYTES
        : ScatteredRows.ROW_BYTES;
  }

  private void enter(long address) {
    slab = rows.slab(address);
    at = (int) address & ScatteredRows.SLAB_MASK;
    boolean open = rows.isOpen(series, address);
    extent = address;
    extentBytes = ScatteredRows.bytesAfter(extentBytes);
    extentRows = open ? rows.openRows(series) : slab.getInt(at + Long.BYTES);
    extentLeft = extentRows;
    nextExtent = open ? ScatteredRows.NOWHERE : slab.getLong(at);
    at += ScatteredRows.EXTENT_HEAD_BYTES;
    bytes = 0;
  }

  /** Returns the address of the extent of the current row. */
  long extent() {
    return extent;
  }

  /** Returns the bytes of that extent. */
  int extentBytes() {
    return extentBytes;
  }

  /** Returns the number of rows before the current row in that extent. */
  int rowsBeforeInExtent() {
    return extentRows - extentLeft - 1;
  }

  /** Returns the address of the current row. */
  long address() {
    return extent & ~(long) ScatteredRows.SLAB_MASK | at;
  }

  /** Skips some rows. */
  void skip(long count) {
    long toSkip = count;
    while (toSkip > extentLeft) {
      toSkip -= extentLeft;
      left -= extentLeft;
      enter(nextExtent);
    }
    for (long i = 0; i < toSkip; i++) {
      next();
    }
  }

  /**
   * Moves to the next row.
   *
   * @return false if there is none
   */
  boolean next() {
    if (left == 0) {
      return false;
    }
    if (extentLeft == 0) {
      enter(nextExtent);
    }
    at += bytes;
    bytes = rowBytes();
    extentLeft--;
    left--;
    return true;
  }

  public long timeNanos() {
    return slab.getLong(at);
  }

  public long bits() {
    return slab.getLong(at + ScatteredRows.VALUE_AT);
  }

  int segment() {
    return slab.getInt(at + ScatteredRows.FLAGS_AT + Integer.BYTES);
  }

  public int status() {
    return Short.toUnsignedInt(slab.getShort(at + ScatteredRows.FLAGS_AT + Short.BYTES));
  }

  public int state() {
    return slab.getShort(at + ScatteredRows.FLAGS_AT) & 3;
  }

  public int severity() {
    return slab.getShort(at + ScatteredRows.FLAGS_AT) >>> 2 & 3;
  }

  long latenessNanos() {
    return bytes == ScatteredRows.LATE_ROW_BYTES ? slab.getLong(at + ScatteredRows.LATENESS_AT) : 0;
  }

  int tie() {
    return bytes == ScatteredRows.LATE_ROW_BYTES ? slab.getInt(at + ScatteredRows.TIE_AT) : 0;
  }

  /** Replaces the rows of columns by the current row. */
  public void copy(EventColumns into) {
    begin(into, 1);
    bytes = 0;
    readExtent(into, 0, 1);
    into.count = 1;
  }

  /**
   * Replaces the rows of columns by the next rows, of which there must be at least {@code count}.
   */
  void read(int count, EventColumns into) {
    begin(into, count);
    int from = 0;
    while (from < count) {
      if (extentLeft == 0) {
        enter(nextExtent);
      }
      int to = from + Math.min(extentLeft, count - from);
      readExtent(into, from, to);
      extentLeft -= to - from;
      left -= to - from;
      from = to;
    }
    into.count = count;
  }

  /** Reads the next rows of the extent. The fields of the cursor and of columns are locals here. */
  private void readExtent(EventColumns into, int from, int to) {
    ByteBuffer source = slab;
    long[] timeNanos = into.timeNanos;
    long[] values = into.values;
    byte[] state = into.state;
    byte[] severity = into.severity;
    short[] status = into.status;
    byte[] stray = into.stray;
    int[] segment = into.segment;
    long[] latenessNanos = into.latenessNanos;
    int[] tie = into.tie;
    boolean number = !into.waveform() && into.type() != ValueType.STRING;
    int place = at + bytes;
    int length = bytes;
    for (int row = from; row < to; row++) {
      long packed = source.getLong(place + ScatteredRows.FLAGS_AT);
      long bits = source.getLong(place + ScatteredRows.VALUE_AT);
      int flags = (int) packed;
      timeNanos[row] = source.getLong(place);
      segment[row] = (int) (packed >> 32);
      status[row] = (short) (flags >> 16);
      state[row] = (byte) (flags & 3);
      severity[row] = (byte) (flags >>> 2 & 3);
      stray[row] = (byte) (flags >>> 4 & 1);
      boolean late = (flags & ScatteredRows.LATE) != 0;
      latenessNanos[row] = late ? source.getLong(place + ScatteredRows.LATENESS_AT) : 0;
      tie[row] = late ? source.getInt(place + ScatteredRows.TIE_AT) : 0;
      if (number) {
        values[row] = bits;
      } else {
        rows.values().read(bits, (flags & 3) == EventState.VALUE_CODE, into, row);
      }
      length = late ? ScatteredRows.LATE_ROW_BYTES : ScatteredRows.ROW_BYTES;
      place += length;
    }
    at = place - length;
    bytes = length;
  }

  private static void begin(EventColumns into, int rows) {
    into.ensureRows(rows);
    into.count = 0;
    if (into.waveform()) {
      into.listStarts[0] = 0;
    }
    if (into.textStarts.length > 0) {
      into.textStarts[0] = 0;
    }
  }
}
