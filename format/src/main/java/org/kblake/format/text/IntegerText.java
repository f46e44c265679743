package org.kblake.format.text;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.kblake.format.number.Digits;

/** Writes integers of up to 64 bits. */
final class IntegerText implements ElementText {

  private enum Width {
    UNSIGNED_8(1),
    SIGNED_16(2),
    UNSIGNED_16(2),
    SIGNED_32(4),
    SIGNED_64(8);

    private final int bytes;

    Width(int bytes) {
      this.bytes = bytes;
    }

    static Width of(FieldVector vector) {
      if (vector instanceof UInt1Vector) {
        return UNSIGNED_8;
      }
      if (vector instanceof UInt2Vector) {
        return UNSIGNED_16;
      }
      if (vector instanceof BigIntVector) {
        return SIGNED_64;
      }
      return vector instanceof SmallIntVector ? SIGNED_16 : SIGNED_32;
    }
  }

  private final FieldVector vector;
  private final Width width;
  private ByteBuffer data = VectorBytes.NONE;

  IntegerText(FieldVector vector) {
    this.vector = vector;
    this.width = Width.of(vector);
  }

  @Override
  public void bind() {
    data = VectorBytes.of(vector, width.bytes);
  }

  @Override
  public void write(int index, TextBuffer target) throws IOException {
    int at = index * width.bytes;
    long value =
        switch (width) {
          case UNSIGNED_8 -> data.get(at) & 0xff;
          case SIGNED_16 -> data.getShort(at);
          case UNSIGNED_16 -> data.getShort(at) & 0xffff;
          case SIGNED_32 -> data.getInt(at);
          case SIGNED_64 -> data.getLong(at);
        };
    target.ensure(Digits.MAX_LONG_BYTES);
    target.position = Digits.writeLong(value, target.bytes, target.position);
  }
}
