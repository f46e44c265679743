package org.kblake.format.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;

/** The bytes of vectors as byte buffers, which avoids Arrow's checks for each value. */
final class VectorBytes {

  /** An empty buffer. */
  static final ByteBuffer NONE = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  private VectorBytes() {}

  /**
   * Returns the data of a vector of fixed width.
   *
   * @param width the bytes of an element
   * @return a view, valid until the vector is filled again
   */
  static ByteBuffer of(FieldVector vector, int width) {
    return of(vector.getDataBuffer(), (long) vector.getValueCount() * width);
  }

  /** Returns the first bytes of a buffer as a view, valid as long as the buffer. */
  static ByteBuffer of(ArrowBuf buffer, long bytes) {
    return bytes == 0
        ? NONE
        : buffer.nioBuffer(0, Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
