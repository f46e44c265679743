package org.kblake.cli.format.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.Float8Vector;
import org.kblake.cli.format.number.DecimalText;

/** Doubles. */
final class DoubleText implements ElementText {

  private final Float8Vector vector;
  private final boolean json;
  private final DecimalText decimals = new DecimalText();
  private ByteBuffer data = VectorBytes.NONE;

  /**
   * @param json whether numbers that are not finite are quoted
   */
  DoubleText(Float8Vector vector, boolean json) {
    this.vector = vector;
    this.json = json;
  }

  @Override
  public void bind() {
    data = VectorBytes.of(vector, Double.BYTES);
  }

  @Override
  public void write(int index, TextBuffer target) throws IOException {
    double value = data.getDouble(index * Double.BYTES);
    target.ensure(DecimalText.MAX_BYTES + 2);
    if (json && !Double.isFinite(value)) {
      target.put((byte) '"');
      target.position = decimals.write(value, target.bytes, target.position);
      target.put((byte) '"');
    } else {
      target.position = decimals.write(value, target.bytes, target.position);
    }
  }
}
