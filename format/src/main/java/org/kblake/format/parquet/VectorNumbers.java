package org.kblake.format.parquet;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.kblake.core.internal.parquet.encoding.NumberKind;

/** The numbers of a vector in an array, as {@link NumberKind} has them. */
final class VectorNumbers {

  private final FieldVector vector;
  private long[] values = {};

  VectorNumbers(FieldVector vector) {
    this.vector = vector;
  }

  NumberKind kind() {
    if (vector instanceof Float8Vector) {
      return NumberKind.DOUBLE;
    }
    if (vector instanceof Float4Vector) {
      return NumberKind.FLOAT;
    }
    return isLong() ? NumberKind.INT64 : NumberKind.INT32;
  }

  private boolean isLong() {
    return vector instanceof TimeStampNanoTZVector || vector instanceof BigIntVector;
  }

  /**
   * Returns the numbers of all rows. A row without a value has any number. The array is valid until
   * the next call.
   */
  long[] read(int rows) {
    if (values.length < rows) {
      values = new long[rows];
    }
    long[] into = values;
    if (vector instanceof Float8Vector || isLong()) {
      data(rows * Long.BYTES).asLongBuffer().get(into, 0, rows);
    } else if (vector instanceof Float4Vector || vector instanceof IntVector) {
      ByteBuffer data = data(rows * Integer.BYTES);
      for (int row = 0; row < rows; row++) {
        into[row] = data.getInt(row * Integer.BYTES);
      }
    } else if (vector instanceof SmallIntVector) {
      ByteBuffer data = data(rows * Short.BYTES);
      for (int row = 0; row < rows; row++) {
        into[row] = data.getShort(row * Short.BYTES);
      }
    } else if (vector instanceof UInt2Vector) {
      ByteBuffer data = data(rows * Short.BYTES);
      for (int row = 0; row < rows; row++) {
        into[row] = data.getChar(row * Short.BYTES);
      }
    } else if (vector instanceof UInt1Vector) {
      ByteBuffer data = data(rows);
      for (int row = 0; row < rows; row++) {
        into[row] = data.get(row) & 0xff;
      }
    } else {
      throw new IllegalArgumentException("no numbers: " + vector.getField());
    }
    return into;
  }

  private ByteBuffer data(int bytes) {
    return vector.getDataBuffer().nioBuffer(0, bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
