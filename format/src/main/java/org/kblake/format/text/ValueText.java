package org.kblake.format.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TimeStampNanoTZVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.complex.ListVector;
import org.kblake.format.time.TimeText;

/** Writes the values of rows: scalars or waveforms. Not thread safe. */
interface ValueText {

  /** Binds to the vector's buffers. It must be called after each fill of the vector. */
  void bind();

  /**
   * Appends a row's value.
   *
   * @return false if the row has no value; nothing is then appended
   */
  boolean write(int row, TextBuffer target) throws IOException;

  /** Returns the writer of a column of values, or of times. */
  static ValueText of(FieldVector vector, TextDialect dialect, TimeText time) {
    if (vector instanceof TimeStampNanoTZVector) {
      boolean quoted = dialect.objects() && !time.numeric();
      return new ScalarValues(vector, new TimeElements(vector, time, quoted));
    }
    if (vector instanceof ListVector lists) {
      return new ListValues(lists, dialect);
    }
    return new ScalarValues(vector, elementsOf(vector, dialect.escape()));
  }

  /**
   * Returns the writer of a vector's elements.
   *
   * @param escape the escapes of texts; with {@link TextEscape#JSON} numbers that are not finite
   *     are texts, because JSON has no such numbers
   */
  private static ElementText elementsOf(FieldVector vector, TextEscape escape) {
    if (vector instanceof Float8Vector || vector instanceof Float4Vector) {
      return new RealText(vector, escape == TextEscape.JSON);
    }
    if (vector instanceof VarCharVector texts) {
      return new StringText(texts, escape);
    }
    if (vector instanceof IntVector
        || vector instanceof SmallIntVector
        || vector instanceof UInt2Vector
        || vector instanceof BigIntVector
        || vector instanceof UInt1Vector) {
      return new IntegerText(vector);
    }
    throw new IllegalArgumentException("no value has this type: " + vector.getField());
  }

  /** Times. */
  final class TimeElements implements ElementText {

    private final FieldVector vector;
    private final TimeText time;
    private final boolean quoted;
    private ByteBuffer nanos = VectorBytes.NONE;

    TimeElements(FieldVector vector, TimeText time, boolean quoted) {
      this.vector = vector;
      this.time = time;
      this.quoted = quoted;
    }

    @Override
    public void bind() {
      nanos = VectorBytes.of(vector, Long.BYTES);
    }

    @Override
    public void write(int index, TextBuffer target) throws IOException {
      if (quoted) {
        target.put((byte) '"');
      }
      target.ensure(TimeText.MAX_BYTES);
      target.position =
          time.write(nanos.getLong(index * Long.BYTES), target.bytes, target.position);
      if (quoted) {
        target.put((byte) '"');
      }
    }
  }

  /** Values with one element per row. */
  final class ScalarValues implements ValueText {

    private final FieldVector vector;
    private final ElementText elements;
    private boolean hasNulls;

    ScalarValues(FieldVector vector, ElementText elements) {
      this.vector = vector;
      this.elements = elements;
    }

    @Override
    public void bind() {
      elements.bind();
      hasNulls = vector.getNullCount() > 0;
    }

    @Override
    public boolean write(int row, TextBuffer target) throws IOException {
      if (hasNulls && vector.isNull(row)) {
        return false;
      }
      elements.write(row, target);
      return true;
    }
  }

  /** Values with a JSON array per row. */
  final class ListValues implements ValueText {

    private final ListVector vector;
    private final TextDialect dialect;
    private final ElementText elements;
    private final TextBuffer json = TextBuffer.inMemory();

    ListValues(ListVector vector, TextDialect dialect) {
      this.vector = vector;
      this.dialect = dialect;
      this.elements = elementsOf(vector.getDataVector(), TextEscape.JSON);
    }

    @Override
    public void bind() {
      elements.bind();
    }

    @Override
    public boolean write(int row, TextBuffer target) throws IOException {
      if (vector.isNull(row)) {
        return false;
      }
      int end = vector.getElementEndIndex(row);
      json.position = 0;
      json.put((byte) '[');
      for (int i = vector.getElementStartIndex(row); i < end; i++) {
        if (json.position > 1) {
          json.put((byte) ',');
        }
        elements.write(i, json);
      }
      json.put((byte) ']');
      dialect.writeJson(json, target);
      return true;
    }
  }
}
