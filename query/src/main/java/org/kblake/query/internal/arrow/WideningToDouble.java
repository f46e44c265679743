package org.kblake.query.internal.arrow;

import java.nio.ByteBuffer;
import org.kblake.core.columns.EventColumns;

/** Values of every type as doubles. A text is not a number: NaN. */
final class WideningToDouble implements FixedElements.Copier {

  private final long[] scratch = new long[SCRATCH];

  @Override
  public int width() {
    return Double.BYTES;
  }

  @Override
  public void copy(EventColumns rows, int from, int count, ByteBuffer into, int at) {
    for (int done = 0; done < count; done += SCRATCH) {
      int length = Math.min(SCRATCH, count - done);
      widen(rows, from + done, length);
      BufferWrites.longs(scratch, 0, length, into, at + done * Double.BYTES);
    }
  }

  private void widen(EventColumns rows, int from, int length) {
    long[] values = rows.values;
    switch (rows.type()) {
      case DOUBLE -> System.arraycopy(values, from, scratch, 0, length);
      case FLOAT -> {
        for (int i = 0; i < length; i++) {
          scratch[i] = Double.doubleToRawLongBits(Float.intBitsToFloat((int) values[from + i]));
        }
      }
      case SHORT, ENUM, CHAR, LONG -> {
        for (int i = 0; i < length; i++) {
          scratch[i] = Double.doubleToRawLongBits((double) values[from + i]);
        }
      }
      case STRING -> {
        long notANumber = Double.doubleToRawLongBits(Double.NaN);
        for (int i = 0; i < length; i++) {
          scratch[i] = notANumber;
        }
      }
    }
  }
}
