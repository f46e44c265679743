package org.kblake.query.internal.arrow;

import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.BaseValueVector;
import org.apache.arrow.vector.BitVectorHelper;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.ValueVector;
import org.apache.arrow.vector.complex.ListVector;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.EventState;
import org.kblake.core.model.ValueType;
import org.kblake.query.arrow.EventSchema;
import org.kblake.query.arrow.ValueShape;

/** Rows of a batch, copied back into columns of the types that they had. */
public final class BatchRows {

  private final BatchSchema schema;
  private final List<FieldVector> values = new ArrayList<>();
  private final FieldVector time;
  private final FieldVector channel;
  private final FieldVector group;
  private final FieldVector state;
  private final FieldVector severity;
  private final FieldVector status;
  private final List<FieldVector> stray;

  /**
   * @param schema has a column {@code group}
   * @param vectors the vectors of the schema
   */
  public BatchRows(BatchSchema schema, List<FieldVector> vectors) {
    this.schema = schema;
    time = named(EventSchema.TIME, vectors);
    channel = named(EventSchema.CHANNEL, vectors);
    group = named(EventSchema.GROUP, vectors);
    state = named(EventSchema.STATE, vectors);
    severity = named(EventSchema.SEVERITY, vectors);
    status = named(EventSchema.STATUS, vectors);
    stray = schema.withStray() ? List.of(named(EventSchema.STRAY, vectors)) : List.of();
    for (ValueField field : schema.valueFields()) {
      values.add(named(field.name(), vectors));
    }
  }

  private static FieldVector named(String name, List<FieldVector> vectors) {
    for (FieldVector vector : vectors) {
      if (vector.getName().equals(name)) {
        return vector;
      }
    }
    throw new IllegalStateException("no column " + name);
  }

  /**
   * Checks the numbers of a batch from elsewhere.
   *
   * @throws IllegalArgumentException if the buffers are too short, or a number is too large
   */
  public void check(int rows, int channels, int groups) {
    if (time.getDataBuffer().capacity() < (long) rows * Long.BYTES
        || channel.getDataBuffer().capacity() < (long) rows * Integer.BYTES
        || group.getDataBuffer().capacity() < (long) rows * Integer.BYTES) {
      throw new IllegalArgumentException("the buffers are too short: rows=" + rows);
    }
    for (int row = 0; row < rows; row++) {
      if (channel(row) < 0 || channel(row) >= channels || group(row) < 0 || group(row) >= groups) {
        throw new IllegalArgumentException("a channel has no name: row=" + row);
      }
    }
  }

  /** Returns the index of a row's channel. */
  public int channel(int row) {
    return channel.getDataBuffer().getInt((long) row * Integer.BYTES);
  }

  /** Returns the index of a row's group. */
  public int group(int row) {
    return group.getDataBuffer().getInt((long) row * Integer.BYTES);
  }

  /**
   * Replaces the rows of columns.
   *
   * @throws IllegalStateException if the answer has no values of the type of the columns
   */
  public void copy(int from, int to, EventColumns into) {
    into.count = 0;
    into.ensureRows(to - from);
    ArrowBuf times = time.getDataBuffer();
    for (int row = from; row < to; row++) {
      int at = row - from;
      into.timeNanos[at] = times.getLong((long) row * Long.BYTES);
      into.state[at] = state.getDataBuffer().getByte(row);
      into.severity[at] = severity.getDataBuffer().getByte(row);
      into.status[at] = status.getDataBuffer().getShort((long) row * Short.BYTES);
      into.stray[at] =
          (byte) (stray.isEmpty() ? 0 : BitVectorHelper.get(stray.get(0).getDataBuffer(), row));
    }
    int column = columnOf(into);
    ValueField field = schema.valueFields().get(column);
    FieldVector vector = values.get(column);
    int elements = 0;
    if (into.waveform()) {
      into.listStarts[0] = 0;
    }
    if (into.type() == ValueType.STRING) {
      into.textStarts[0] = 0;
    }
    for (int row = from; row < to; row++) {
      int at = row - from;
      boolean known = into.state[at] == EventState.VALUE_CODE;
      if (into.waveform()) {
        ListVector list = (ListVector) vector;
        int begin = known ? list.getElementStartIndex(row) : 0;
        int end = known ? list.getElementEndIndex(row) : 0;
        into.ensureElements(elements + end - begin + 1);
        for (int element = begin; element < end; element++) {
          set(into, elements++, list.getDataVector(), element, field.asDouble());
        }
        into.listStarts[at + 1] = elements;
      } else if (known) {
        set(into, elements++, vector, row, field.asDouble());
      } else {
        setNothing(into, elements++);
      }
    }
    into.count = to - from;
  }

  private int columnOf(EventColumns columns) {
    List<ValueField> fields = schema.valueFields();
    for (int i = 0; i < fields.size(); i++) {
      if (fields.get(i).holds(columns.type(), columns.waveform())) {
        return i;
      }
    }
    throw new IllegalStateException(
        "no column has values of this type: "
            + new ValueShape(columns.type(), columns.waveform()).text());
  }

  private static void setNothing(EventColumns into, int at) {
    if (into.type() == ValueType.STRING) {
      into.textStarts[at + 1] = into.textStarts[at];
    } else {
      into.values[at] = 0;
    }
  }

  private static void set(EventColumns into, int at, ValueVector from, int row, boolean widened) {
    ArrowBuf data = ((BaseValueVector) from).getDataBuffer();
    if (into.type() == ValueType.STRING) {
      setText(into, at, (FieldVector) from, row);
    } else if (widened) {
      into.values[at] = narrowed(into.type(), data.getLong((long) row * Long.BYTES));
    } else {
      into.values[at] =
          switch (into.type()) {
            case SHORT -> data.getShort((long) row * Short.BYTES);
            case ENUM -> Short.toUnsignedInt(data.getShort((long) row * Short.BYTES));
            case CHAR -> Byte.toUnsignedInt(data.getByte(row));
            case LONG -> data.getInt((long) row * Integer.BYTES);
            case FLOAT -> Integer.toUnsignedLong(data.getInt((long) row * Integer.BYTES));
            case DOUBLE, STRING -> data.getLong((long) row * Long.BYTES);
          };
    }
  }

  /** Returns the element of a number that was converted to a double, which is exact. */
  private static long narrowed(ValueType type, long bits) {
    double number = Double.longBitsToDouble(bits);
    return switch (type) {
      case FLOAT -> Integer.toUnsignedLong(Float.floatToRawIntBits((float) number));
      case SHORT, ENUM, CHAR, LONG -> (long) number;
      case DOUBLE, STRING -> bits;
    };
  }

  private static void setText(EventColumns into, int at, FieldVector from, int row) {
    ArrowBuf offsets = from.getOffsetBuffer();
    int begin = offsets.getInt((long) row * Integer.BYTES);
    int length = offsets.getInt((row + 1L) * Integer.BYTES) - begin;
    int end = into.textStarts[at];
    into.ensureElements(at + 1);
    into.ensureText(end + length);
    from.getDataBuffer().getBytes(begin, into.text, end, length);
    into.textStarts[at + 1] = end + length;
  }
}
