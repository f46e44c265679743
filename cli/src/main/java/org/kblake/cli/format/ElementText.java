package org.kblake.cli.format;

import java.io.IOException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarCharVector;

/** Writes the elements of a vector of one type. Not thread safe. */
interface ElementText {

  /** Looks at the vector's buffers; to be called whenever they were filled again. */
  void bind();

  /** Appends an element that is not null. */
  void write(int index, TextBuffer target) throws IOException;

  /**
   * The text of a vector's elements.
   *
   * @param escape how texts are written; with {@link TextEscape#JSON} numbers that are not finite
   *     are texts, since JSON has none
   */
  static ElementText of(FieldVector vector, TextEscape escape) {
    boolean json = escape == TextEscape.JSON;
    if (vector instanceof Float8Vector doubles) {
      return new DoubleText(doubles, json);
    }
    if (vector instanceof Float4Vector floats) {
      return new FloatText(floats, json);
    }
    if (vector instanceof VarCharVector texts) {
      return new StringText(texts, escape);
    }
    if (vector instanceof IntVector
        || vector instanceof SmallIntVector
        || vector instanceof UInt2Vector
        || vector instanceof UInt1Vector) {
      return new IntegerText(vector);
    }
    throw new IllegalArgumentException("no value has this type: " + vector.getField());
  }
}
