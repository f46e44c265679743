package org.kblake.query.internal.grid;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;

/**
 * Value events of one channel with their order keys, one row each. A row is a few adjacent longs,
 * because the events of a thousand channels alternate, and each channel's memory has to be loaded:
 *
 * <pre>
 *   nanos | order key | order | tie 32, status 16, severity 8, type 8 bits | bits of a number
 * </pre>
 *
 * The owner of this object tracks the rows that are in use.
 */
final class OrderedValues {

  private static final int NANOS = 0;
  private static final int ORDER_KEY = 1;
  private static final int ORDER = 2;
  private static final int KINDS = 3;
  private static final int BITS = 4;
  private static final int ROW = 5;

  /** The bytes of a number's event. */
  static final int ROW_BYTES = ROW * Long.BYTES;

  private static final int OBJECT_BYTES = 400;

  /** The bytes of any other event, without its elements. */
  static final int LIST_BYTES = ROW_BYTES + OBJECT_BYTES;

  private static final int FEW_ROWS = 4;
  private static final ValueType[] TYPES = ValueType.values();

  private long[] rows = new long[FEW_ROWS * ROW];

  /**
   * Columns with the event, by row, if the event is not a single number. Empty until there is such
   * an event.
   */
  private @Nullable EventColumns[] lists = {};

  int capacity() {
    return rows.length / ROW;
  }

  long nanos(int row) {
    return rows[row * ROW + NANOS];
  }

  /** Returns whether an event is before another in log order: by segment, order, tie. */
  boolean isBefore(int row, long orderKey, long order, int tie) {
    int at = row * ROW;
    if (rows[at + ORDER_KEY] != orderKey) {
      return rows[at + ORDER_KEY] < orderKey;
    }
    return rows[at + ORDER] != order
        ? rows[at + ORDER] < order
        : (int) (rows[at + KINDS] >> 32) < tie;
  }

  /** Returns whether an event is before one of another channel or kind in log order. */
  boolean isBefore(int row, OrderedValues others, int other) {
    int at = other * ROW;
    return isBefore(
        row,
        others.rows[at + ORDER_KEY],
        others.rows[at + ORDER],
        (int) (others.rows[at + KINDS] >> 32));
  }

  /** Returns the bits of a number. */
  long bits(int row) {
    return rows[row * ROW + BITS];
  }

  /** Returns whether an event is before another of these in log order. */
  boolean isBefore(int row, int other) {
    return isBefore(row, this, other);
  }

  /** Copies an event from a row of columns into a row. */
  void set(int row, long orderKey, long order, int tie, EventColumns columns, int from) {
    boolean alone = columns.waveform() || columns.type() == ValueType.STRING;
    int at = row * ROW;
    rows[at + NANOS] = columns.timeNanos[from];
    rows[at + ORDER_KEY] = orderKey;
    rows[at + ORDER] = order;
    rows[at + KINDS] =
        (long) tie << 32
            | (columns.status[from] & 0xFFFFL) << 16
            | (columns.severity[from] & 0xFF) << 8
            | columns.type().ordinal();
    rows[at + BITS] = alone ? 0 : columns.values[from];
    if (alone) {
      if (lists.length == 0) {
        lists = new EventColumns[capacity()];
      }
      EventColumns list = new EventColumns(columns.type(), columns.waveform(), 1);
      list.append(columns, from, from + 1);
      lists[row] = list;
    } else if (lists.length > 0) {
      lists[row] = null;
    }
  }

  /** Moves rows. Source and target may overlap. Other rows of the target are overwritten. */
  void move(int from, int to, int count) {
    System.arraycopy(rows, from * ROW, rows, to * ROW, count * ROW);
    if (lists.length > 0) {
      System.arraycopy(lists, from, lists, to, count);
      int left = to > from ? from : Math.max(from, to + count);
      Arrays.fill(lists, left, to > from ? Math.min(to, from + count) : from + count, null);
    }
  }

  /**
   * Frees the columns of an event that is not a single number.
   *
   * @return the approximate bytes of the event
   */
  long free(int row) {
    long bytes = bytes(row);
    if (lists.length > 0) {
      lists[row] = null;
    }
    return bytes;
  }

  /** Grows to a number of rows. */
  void grow(int capacity) {
    rows = Arrays.copyOf(rows, capacity * ROW);
    if (lists.length > 0) {
      lists = Arrays.copyOf(lists, capacity);
    }
  }

  /** Returns the approximate bytes of an event. */
  long bytes(int row) {
    EventColumns alone = list(row);
    return alone == null ? ROW_BYTES : LIST_BYTES + 8L * alone.values.length + alone.text.length;
  }

  /** Returns columns with the event; null if it is a single number. */
  @Nullable EventColumns list(int row) {
    return lists.length == 0 ? null : lists[row];
  }

  ValueType type(int row) {
    return TYPES[(int) rows[row * ROW + KINDS] & 0xFF];
  }

  /** Copies a single number into a row of columns of its type. */
  void copyTo(int row, EventColumns columns, int to) {
    int at = row * ROW;
    columns.timeNanos[to] = rows[at + NANOS];
    columns.state[to] = EventState.VALUE_CODE;
    columns.severity[to] = (byte) (rows[at + KINDS] >> 8);
    columns.status[to] = (short) (rows[at + KINDS] >> 16);
    columns.values[to] = rows[at + BITS];
  }
}
