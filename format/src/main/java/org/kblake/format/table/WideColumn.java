package org.kblake.format.table;

import java.util.Arrays;
import java.util.List;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.kblake.core.columns.EventColumns;
import org.kblake.core.model.ValueType;
import org.kblake.query.GridReader;
import org.kblake.query.answer.ChannelInfo;

/**
 * A channel's column of a table. Its type is utf8, int32, float32 or float64, after the type that
 * the channel has at the end of the period. It is a list of this type for a waveform. An older
 * value of another type is converted. A value that cannot be converted is left out.
 */
public final class WideColumn {

  private final FieldVector vector;
  private final FieldVector elements;
  private final int channel;
  private int elementCount;

  private WideColumn(FieldVector vector, FieldVector elements, int channel) {
    this.vector = vector;
    this.elements = elements;
    this.channel = channel;
  }

  /** Returns the field of a channel\'s column. */
  public static Field field(String name, ChannelInfo info) {
    ArrowType type = type(info.type());
    if (!info.waveform()) {
      return Field.nullable(name, type);
    }
    Field element = new Field("element", FieldType.notNullable(type), null);
    return new Field(name, FieldType.nullable(ArrowType.List.INSTANCE), List.of(element));
  }

  private static ArrowType type(ValueType type) {
    return switch (type) {
      case STRING -> ArrowType.Utf8.INSTANCE;
      case SHORT, ENUM, CHAR, LONG -> new ArrowType.Int(Integer.SIZE, true);
      case FLOAT -> new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE);
      case DOUBLE -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    };
  }

  /**
   * @param channel the channel's index in the grid
   */
  public static WideColumn of(FieldVector vector, int channel) {
    return vector instanceof ListVector lists
        ? new WideColumn(vector, lists.getDataVector(), channel)
        : new WideColumn(vector, vector, channel);
  }

  /**
   * Frees the memory of vectors. Their next rows take no more than they need: a table may have
   * 100,000 columns, and a vector has memory for thousands of rows otherwise.
   *
   * @param rows the most rows to come
   */
  public static void clear(List<FieldVector> vectors, int rows) {
    for (FieldVector vector : vectors) {
      vector.clear();
      vector.setInitialCapacity(rows);
    }
  }

  /** Sets the cell of the next row. */
  public void set(int row, GridReader grid) {
    if (grid.isKnown(channel)) {
      set(row, grid.columns(channel), grid.row(channel));
    } else {
      setNull(row);
    }
  }

  /** Sets the cell of the next row to the value of an event. */
  public void set(int row, EventColumns columns, int at) {
    if (row == 0) {
      elementCount = 0;
    }
    int first = columns.waveform() ? columns.listStarts[at] : at;
    int count = columns.waveform() ? columns.listStarts[at + 1] - first : 1;
    if (!(vector instanceof ListVector lists)) {
      if (count == 0 || !setElement(row, columns, first)) {
        setNull(row);
      }
      return;
    }
    lists.startNewValue(row);
    int set = 0;
    while (set < count && setElement(elementCount + set, columns, first + set)) {
      set++;
    }
    elementCount += set;
    lists.endValue(row, set);
    elements.setValueCount(elementCount);
  }

  /** Sets the cell of the next row to a number, if the column has single numbers. */
  public void set(int row, double number) {
    if (vector instanceof ListVector || !setNumber(row, number)) {
      setNull(row);
    }
  }

  /** Leaves the cell of the next row empty. */
  public void setNull(int row) {
    if (row == 0) {
      elementCount = 0;
    }
    if (vector instanceof ListVector lists) {
      lists.setNull(row);
    } else {
      while (vector.getValueCapacity() <= row) {
        vector.reAlloc();
      }
      vector.setNull(row);
    }
  }

  private boolean setElement(int index, EventColumns columns, int element) {
    boolean text = columns.type() == ValueType.STRING;
    if (elements instanceof VarCharVector texts) {
      byte[] bytes =
          text
              ? Arrays.copyOfRange(
                  columns.text, columns.textStarts[element], columns.textStarts[element + 1])
              : new byte[0];
      texts.setSafe(index, bytes);
      return text;
    }
    return setNumber(index, text ? Double.NaN : columns.type().number(columns.values[element]))
        && !text;
  }

  private boolean setNumber(int index, double number) {
    if (elements instanceof Float8Vector doubles) {
      doubles.setSafe(index, number);
    } else if (elements instanceof Float4Vector floats) {
      floats.setSafe(index, (float) number);
    } else if (elements instanceof IntVector ints) {
      ints.setSafe(index, (int) number);
      return (int) number == number;
    }
    return elements instanceof BaseFixedWidthVector;
  }
}
