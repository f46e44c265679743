package org.kblake.format.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.kblake.format.number.DecimalText;

/** Floating-point numbers: doubles, and floats, as short as reads back as a float. */
final class RealText implements ElementText {

  private final FieldVector vector;
  private final boolean single;
  private final boolean json;
  private final DecimalText decimals = new DecimalText();
  private ByteBuffer data = VectorBytes.NONE;

  /**
   * @param json whether numbers that are not finite are quoted
   */
  RealText(FieldVector vector, boolean json) {
    this.vector = vector;
    this.json = json;
    single = vector instanceof Float4Vector;
  }

  @Override
  public void bind() {
    data = VectorBytes.of(vector, single ? Float.BYTES : Double.BYTES);
  }

  @Override
  public void write(int index, TextBuffer target) throws IOException {
    double value =
        single ? data.getFloat(index * Float.BYTES) : data.getDouble(index * Double.BYTES);
    boolean quoted = json && !Double.isFinite(value);
    target.ensure(DecimalText.MAX_BYTES + 2);
    if (quoted) {
      target.put((byte) '"');
    }
    target.position =
        single
            ? decimals.write((float) value, target.bytes, target.position)
            : decimals.write(value, target.bytes, target.position);
    if (quoted) {
      target.put((byte) '"');
    }
  }
}
