package org.kblake.cli.format.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.Float4Vector;
import org.kblake.cli.format.number.DecimalText;

/** Floats, as short as reads back as a float. */
final class FloatText implements ElementText {

  private final Float4Vector vector;
  private final boolean json;
  private final DecimalText decimals = new DecimalText();
  private ByteBuffer data = VectorBytes.NONE;

  /**
   * @param json whether numbers that are not finite are quoted
   */
  FloatText(Float4Vector vector, boolean json) {
    this.vector = vector;
    this.json = json;
  }

  @Override
  public void bind() {
    data = VectorBytes.of(vector, Float.BYTES);
  }

  @Override
  public void write(int index, TextBuffer target) throws IOException {
    float value = data.getFloat(index * Float.BYTES);
    target.ensure(DecimalText.MAX_BYTES + 2);
    if (json && !Float.isFinite(value)) {
      target.put((byte) '"');
      target.position = decimals.write(value, target.bytes, target.position);
      target.put((byte) '"');
    } else {
      target.position = decimals.write(value, target.bytes, target.position);
    }
  }
}
