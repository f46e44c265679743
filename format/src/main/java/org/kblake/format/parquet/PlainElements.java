package org.kblake.format.parquet;

import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.kblake.core.internal.parquet.encoding.ByteOutput;
import org.kblake.core.internal.parquet.file.SchemaElements;

/** Appends elements of a vector to a page in Parquet's plain encoding. */
interface PlainElements {

  void put(int index, ByteOutput page);

  /** Returns the encoder of a vector's elements. */
  static PlainElements of(FieldVector vector) {
    if (vector instanceof Float8Vector doubles) {
      return (index, page) -> page.putLong(Double.doubleToRawLongBits(doubles.get(index)));
    }
    if (vector instanceof Float4Vector floats) {
      return (index, page) -> page.putInt(Float.floatToRawIntBits(floats.get(index)));
    }
    if (vector instanceof VarCharVector texts) {
      return (index, page) -> {
        byte[] text = texts.get(index);
        page.putInt(text.length);
        page.write(text, 0, text.length);
      };
    }
    if (vector instanceof TimeStampNanoTZVector times) {
      return (index, page) -> page.putLong(times.get(index));
    }
    if (vector instanceof BigIntVector integers) {
      return (index, page) -> page.putLong(integers.get(index));
    }
    BaseIntVector integers = (BaseIntVector) vector;
    return (index, page) -> page.putInt((int) integers.getValueAsLong(index));
  }

  /** Returns the schema element of a leaf with the elements of a vector. */
  static SchemaElement leaf(String name, FieldVector vector, boolean optional) {
    if (vector instanceof Float8Vector) {
      return SchemaElements.leaf(name, Type.DOUBLE, optional);
    }
    if (vector instanceof Float4Vector) {
      return SchemaElements.leaf(name, Type.FLOAT, optional);
    }
    if (vector instanceof VarCharVector) {
      return SchemaElements.text(SchemaElements.leaf(name, Type.BYTE_ARRAY, optional));
    }
    if (vector instanceof BigIntVector) {
      return SchemaElements.leaf(name, Type.INT64, optional);
    }
    if (vector instanceof TimeStampNanoTZVector) {
      return SchemaElements.utcNanos(SchemaElements.leaf(name, Type.INT64, optional));
    }
    SchemaElement leaf = SchemaElements.leaf(name, Type.INT32, optional);
    if (vector instanceof UInt1Vector) {
      return SchemaElements.integer(leaf, Byte.SIZE, false);
    }
    if (vector instanceof UInt2Vector) {
      return SchemaElements.integer(leaf, Short.SIZE, false);
    }
    return vector instanceof SmallIntVector ? SchemaElements.integer(leaf, Short.SIZE, true) : leaf;
  }
}
