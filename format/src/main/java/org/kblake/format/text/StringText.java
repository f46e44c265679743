package org.kblake.format.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.VarCharVector;

/** Writes texts. */
final class StringText implements ElementText {

  private final VarCharVector vector;
  private final TextEscape escape;
  private ByteBuffer starts = VectorBytes.NONE;
  private byte[] scratch = new byte[64];

  StringText(VarCharVector vector, TextEscape escape) {
    this.vector = vector;
    this.escape = escape;
  }

  @Override
  public void bind() {
    int count = vector.getValueCount();
    starts =
        count == 0
            ? VectorBytes.NONE
            : VectorBytes.of(vector.getOffsetBuffer(), (count + 1L) * Integer.BYTES);
  }

  @Override
  public void write(int index, TextBuffer target) throws IOException {
    int from = starts.getInt(index * Integer.BYTES);
    int length = starts.getInt((index + 1) * Integer.BYTES) - from;
    if (length > scratch.length) {
      scratch = new byte[length * 2];
    }
    if (length > 0) {
      vector.getDataBuffer().getBytes(from, scratch, 0, length);
    }
    escape.write(scratch, 0, length, target);
  }
}
