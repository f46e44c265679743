package org.kblake.ingest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.kblake.core.model.EventState;
import org.kblake.core.store.EventColumns;
import org.kblake.ingest.RowMemory.Slab;

/**
 * The rows of a block in the order in which they arrived: fixed-width in slabs, no object per
 * event, no array per channel. Sorting them by series is one stable counting sort of their numbers,
 * so the scatter costs an append while scanning and one look at each row while encoding.
 *
 * <pre>
 *   ROW  time i64 | value i64 | lateness i64 | tie i32 | segment i32 | series i32
 *        | status u16 | state u2, severity u2, stray u1 in a u16
 * </pre>
 *
 * The value is the element's bits, or, for strings and waveforms, where the value's bytes lie: slab
 * number in the high, offset in the low 32 bits.
 *
 * <pre>
 *   WAVEFORM OF NUMBERS  elements i32 | bits i64 * elements
 *   STRINGS              elements i32 | (bytes u16 | UTF-8) * elements
 * </pre>
 */
final class ArrivedRows {

  private static final int ROW_BYTES = 40;
  private static final int ROWS_PER_SLAB_SHIFT = 14;
  private static final int ROWS_PER_SLAB = 1 << ROWS_PER_SLAB_SHIFT;
  private static final int ORDERS_PER_SLAB_SHIFT = 17;
  private static final int ORDERS_PER_SLAB = 1 << ORDERS_PER_SLAB_SHIFT;

  /** What a row without a value of its own takes, its place in the order included. */
  static final int BYTES_PER_ROW = ROW_BYTES + Integer.BYTES + 1;

  /** Bytes of a slab, filled by rows without a rest. */
  static final int SLAB_BYTES = ROWS_PER_SLAB * ROW_BYTES;

  private static final int VALUE_AT = 8;
  private static final int LATENESS_AT = 16;
  private static final int TIE_AT = 24;
  private static final int SEGMENT_AT = 28;
  private static final int SERIES_AT = 32;
  private static final int STATUS_AT = 36;
  private static final int FLAGS_AT = 38;

  private final RowMemory memory;
  private final List<Slab> rowSlabs = new ArrayList<>();
  private final List<Slab> valueSlabs = new ArrayList<>();
  private final List<Slab> orderSlabs = new ArrayList<>();
  private ByteBuffer[] rowBuffers = new ByteBuffer[16];
  private int rows;
  private int valueAt;

  private long[] seriesRows = new long[1024];
  private long[] seriesBytes = new long[1024];
  private int[] slabStarts = new int[0];

  ArrivedRows(RowMemory memory) {
    this.memory = memory;
  }

  int rows() {
    return rows;
  }

  /** Rows of a series. */
  long rows(int series) {
    return series < seriesRows.length ? seriesRows[series] : 0;
  }

  /** Bytes that the values of a series take in memory. */
  long bytes(int series) {
    return series < seriesBytes.length ? seriesBytes[series] : 0;
  }

  /** Adds a row whose value is a number, or which has none (bits 0). */
  void add(
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
    int slab = rows >>> ROWS_PER_SLAB_SHIFT;
    if (slab == rowSlabs.size()) {
      addRowSlab();
    }
    ByteBuffer buffer = rowBuffers[slab];
    int at = (rows & (ROWS_PER_SLAB - 1)) * ROW_BYTES;
    buffer.putLong(at, timeNanos);
    buffer.putLong(at + VALUE_AT, bits);
    buffer.putLong(at + LATENESS_AT, latenessNanos);
    buffer.putInt(at + TIE_AT, tie);
    buffer.putInt(at + SEGMENT_AT, segment);
    buffer.putInt(at + SERIES_AT, series);
    buffer.putShort(at + STATUS_AT, (short) status);
    buffer.putShort(at + FLAGS_AT, (short) (state | severity << 2 | (stray ? 16 : 0)));
    rows++;
    if (series >= seriesRows.length) {
      growSeries(series);
    }
    seriesRows[series]++;
    seriesBytes[series] += Long.BYTES;
  }

  private void addRowSlab() throws IOException {
    if (!rowSlabs.isEmpty()) {
      sortLastSlab(ROWS_PER_SLAB);
    }
    Slab slab = memory.slab();
    int number = rowSlabs.size();
    rowSlabs.add(slab);
    if (rowSlabs.size() > rowBuffers.length) {
      rowBuffers = Arrays.copyOf(rowBuffers, rowBuffers.length * 2);
    }
    rowBuffers[number] = slab.bytes();
    if ((number << ROWS_PER_SLAB_SHIFT) % ORDERS_PER_SLAB == 0) {
      orderSlabs.add(memory.slab());
    }
  }

  /** One stable counting sort, from the slab into a spare one that then takes its place. */
  private void sortLastSlab(int count) throws IOException {
    int number = rowSlabs.size() - 1;
    Slab sorted = memory.slab();
    Slab arrived = rowSlabs.set(number, sorted);
    ByteBuffer from = arrived.bytes();
    ByteBuffer to = sorted.bytes();
    rowBuffers[number] = to;
    if (slabStarts.length <= seriesRows.length) {
      slabStarts = new int[seriesRows.length + 1];
    }
    int[] starts = slabStarts;
    Arrays.fill(starts, 0);
    for (int row = 0; row < count; row++) {
      starts[from.getInt(row * ROW_BYTES + SERIES_AT) + 1]++;
    }
    for (int series = 1; series < starts.length; series++) {
      starts[series] += starts[series - 1];
    }
    for (int row = 0; row < count; row++) {
      int at = row * ROW_BYTES;
      int target = starts[from.getInt(at + SERIES_AT)]++ * ROW_BYTES;
      for (int i = 0; i < ROW_BYTES; i += Long.BYTES) {
        to.putLong(target + i, from.getLong(at + i));
      }
    }
    memory.release(arrived);
  }

  private void growSeries(int series) {
    int size = Math.max(series + 1, seriesRows.length * 2);
    seriesRows = Arrays.copyOf(seriesRows, size);
    seriesBytes = Arrays.copyOf(seriesBytes, size);
  }

  /**
   * Keeps the value of a string's or waveform's row.
   *
   * @param series the series that the row will be added to
   * @return what the row's bits are to be
   */
  long addValue(int series, EventColumns from, int row) throws IOException {
    int first = from.waveform() ? from.listStarts[row] : row;
    int elements = from.waveform() ? from.listStarts[row + 1] - first : 1;
    boolean text = from.textStarts.length > 0;
    int bytes =
        Integer.BYTES
            + (text
                ? elements * Short.BYTES
                    + from.textStarts[first + elements]
                    - from.textStarts[first]
                : elements * Long.BYTES);
    ByteBuffer value = room(bytes);
    int at = valueAt;
    value.putInt(at, elements);
    at += Integer.BYTES;
    for (int i = first; i < first + elements; i++) {
      if (text) {
        int start = from.textStarts[i];
        int length = from.textStarts[i + 1] - start;
        value.putShort(at, (short) length);
        value.put(at + Short.BYTES, from.text, start, length);
        at += Short.BYTES + length;
      } else {
        value.putLong(at, from.values[i]);
        at += Long.BYTES;
      }
    }
    if (series >= seriesRows.length) {
      growSeries(series);
    }
    seriesBytes[series] += bytes;
    long bits = (long) (valueSlabs.size() - 1) << 32 | valueAt;
    valueAt += bytes;
    return bits;
  }

  private ByteBuffer room(int bytes) throws IOException {
    Slab slab = valueSlabs.isEmpty() ? null : valueSlabs.get(valueSlabs.size() - 1);
    if (slab == null || slab.bytes().capacity() - valueAt < bytes) {
      slab = memory.slab(bytes);
      valueSlabs.add(slab);
      valueAt = 0;
    }
    return slab.bytes();
  }

  long timeNanos(int row) {
    return rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getLong(at(row));
  }

  long bits(int row) {
    return rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getLong(at(row) + VALUE_AT);
  }

  long latenessNanos(int row) {
    return rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getLong(at(row) + LATENESS_AT);
  }

  int tie(int row) {
    return rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getInt(at(row) + TIE_AT);
  }

  int segment(int row) {
    return rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getInt(at(row) + SEGMENT_AT);
  }

  int status(int row) {
    return Short.toUnsignedInt(
        rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getShort(at(row) + STATUS_AT));
  }

  int state(int row) {
    return flags(row) & 3;
  }

  int severity(int row) {
    return flags(row) >>> 2 & 3;
  }

  private int flags(int row) {
    return rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getShort(at(row) + FLAGS_AT);
  }

  private static int at(int row) {
    return (row & (ROWS_PER_SLAB - 1)) * ROW_BYTES;
  }

  /** Whether the memory's budget is used up. */
  boolean full() {
    return memory.full();
  }

  /** The rows' numbers, sorted by series, then in order of arrival. */
  final class Order {
    private final long[] starts;

    private Order(long[] starts) {
      this.starts = starts;
    }

    /** The number of a series' i-th row. */
    int row(int series, long i) {
      return order(starts[series] + i);
    }

    /**
     * Replaces the columns' rows by some of a series.
     *
     * @param from counted from the series' first row
     */
    void read(int series, long from, int count, EventColumns into) {
      begin(into, count);
      long at = starts[series] + from;
      for (int i = 0; i < count; i++) {
        copy(order(at + i), into);
      }
    }
  }

  /** Replaces the columns' rows by one row. */
  void read(int row, EventColumns into) {
    begin(into, 1);
    copy(row, into);
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

  private int order(long index) {
    return orderSlabs
        .get((int) (index >>> ORDERS_PER_SLAB_SHIFT))
        .bytes()
        .getInt((int) (index & (ORDERS_PER_SLAB - 1)) * Integer.BYTES);
  }

  /** Sorts the rows. No row may be added until they are cleared. */
  Order sort(int seriesCount) throws IOException {
    if (!rowSlabs.isEmpty()) {
      sortLastSlab(rows - (rowSlabs.size() - 1) * ROWS_PER_SLAB);
    }
    long[] starts = new long[seriesCount + 1];
    for (int series = 0; series < seriesCount; series++) {
      starts[series + 1] = starts[series] + rows(series);
    }
    long[] cursor = starts.clone();
    for (int row = 0; row < rows; row++) {
      int series =
          rowBuffers[row >>> ROWS_PER_SLAB_SHIFT].getInt(
              (row & (ROWS_PER_SLAB - 1)) * ROW_BYTES + SERIES_AT);
      long index = cursor[series]++;
      orderSlabs
          .get((int) (index >>> ORDERS_PER_SLAB_SHIFT))
          .bytes()
          .putInt((int) (index & (ORDERS_PER_SLAB - 1)) * Integer.BYTES, row);
    }
    return new Order(starts);
  }

  private void copy(int row, EventColumns into) {
    ByteBuffer buffer = rowBuffers[row >>> ROWS_PER_SLAB_SHIFT];
    int at = at(row);
    int to = into.count;
    int flags = buffer.getShort(at + FLAGS_AT);
    into.timeNanos[to] = buffer.getLong(at);
    into.latenessNanos[to] = buffer.getLong(at + LATENESS_AT);
    into.tie[to] = buffer.getInt(at + TIE_AT);
    into.segment[to] = buffer.getInt(at + SEGMENT_AT);
    into.status[to] = buffer.getShort(at + STATUS_AT);
    into.state[to] = (byte) (flags & 3);
    into.severity[to] = (byte) (flags >>> 2 & 3);
    into.stray[to] = (byte) (flags >>> 4 & 1);
    long bits = buffer.getLong(at + VALUE_AT);
    if (!into.waveform() && into.textStarts.length == 0) {
      into.values[to] = bits;
    } else {
      copyValue(into, to, bits, (flags & 3) == EventState.VALUE_CODE);
    }
    into.count = to + 1;
  }

  private void copyValue(EventColumns into, int row, long bits, boolean present) {
    boolean text = into.textStarts.length > 0;
    int element = into.waveform() ? into.listStarts[row] : row;
    if (!present) {
      if (into.waveform()) {
        into.listStarts[row + 1] = element;
      } else {
        into.textStarts[row + 1] = into.textStarts[row];
      }
      return;
    }
    ByteBuffer value = valueSlabs.get((int) (bits >>> 32)).bytes();
    int at = (int) bits;
    int elements = value.getInt(at);
    at += Integer.BYTES;
    into.ensureElements(element + elements);
    for (int i = 0; i < elements; i++) {
      if (text) {
        int bytes = value.getShort(at);
        int start = into.textStarts[element + i];
        into.ensureText(start + bytes);
        value.get(at + Short.BYTES, into.text, start, bytes);
        into.textStarts[element + i + 1] = start + bytes;
        at += Short.BYTES + bytes;
      } else {
        into.values[element + i] = value.getLong(at);
        at += Long.BYTES;
      }
    }
    if (into.waveform()) {
      into.listStarts[row + 1] = element + elements;
    }
  }

  /** Forgets every row and gives the memory back. */
  void clear() {
    rowSlabs.forEach(memory::release);
    valueSlabs.forEach(memory::release);
    orderSlabs.forEach(memory::release);
    rowSlabs.clear();
    valueSlabs.clear();
    orderSlabs.clear();
    Arrays.fill(rowBuffers, null);
    Arrays.fill(seriesRows, 0);
    Arrays.fill(seriesBytes, 0);
    rows = 0;
    valueAt = 0;
  }
}
