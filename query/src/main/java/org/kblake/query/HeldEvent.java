package org.kblake.query;

import org.jspecify.annotations.Nullable;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.core.store.EventColumns;
import org.kblake.core.store.RowCopies;
import org.kblake.query.arrow.ValueShape;

/** A value event that a grid may need, with its place in log order. Reused. */
final class HeldEvent {

  private static final int BYTES = 80;
  private static final int LIST_BYTES = 400;

  private long point;
  private long place = Long.MIN_VALUE;
  private long order = Long.MIN_VALUE;
  private int tie;

  private long timeNanos;
  private byte severity;
  private short status;
  private @Nullable ValueType type;
  private long bits;

  /** The event alone, if it is no single number. */
  private @Nullable EventColumns list;

  /** The first point of the grid that is not earlier than the event. */
  long point() {
    return point;
  }

  long timeNanos() {
    return timeNanos;
  }

  /** Whether the event is before a place in log order: a segment, then order and tie. */
  boolean isBefore(long otherPlace, long otherOrder, int otherTie) {
    if (place != otherPlace) {
      return place < otherPlace;
    }
    return order != otherOrder ? order < otherOrder : tie < otherTie;
  }

  boolean isBefore(HeldEvent other) {
    return isBefore(other.place, other.order, other.tie);
  }

  /** About how many bytes it takes. */
  long bytes() {
    EventColumns own = list;
    return own == null ? BYTES : LIST_BYTES + 8L * own.values.length + own.text.length;
  }

  /** Becomes another event, a row of columns. */
  void set(long atPoint, long atPlace, long atOrder, int atTie, EventColumns columns, int row) {
    point = atPoint;
    place = atPlace;
    order = atOrder;
    tie = atTie;
    timeNanos = columns.timeNanos[row];
    severity = columns.severity[row];
    status = columns.status[row];
    type = columns.type();
    if (!columns.waveform() && columns.type() != ValueType.STRING) {
      bits = columns.values[row];
      list = null;
      return;
    }
    EventColumns own = list;
    if (own == null || own.type() != columns.type() || own.waveform() != columns.waveform()) {
      own = new EventColumns(columns.type(), columns.waveform(), 1);
      list = own;
    }
    own.count = 0;
    RowCopies.append(columns, row, row + 1, own);
  }

  /** The event alone, if it is no single number. */
  @Nullable EventColumns list() {
    return list;
  }

  /** What a single number is. */
  ValueShape shape() {
    ValueType known = type;
    if (known == null) {
      throw new IllegalStateException("no event yet");
    }
    return new ValueShape(known, false);
  }

  /** Writes a single number into a row of columns of its shape. */
  void copyTo(EventColumns columns, int row) {
    columns.timeNanos[row] = timeNanos;
    columns.state[row] = EventState.VALUE_CODE;
    columns.severity[row] = severity;
    columns.status[row] = status;
    columns.values[row] = bits;
  }
}
