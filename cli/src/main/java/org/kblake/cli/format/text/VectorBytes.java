package org.kblake.cli.format.text;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.FieldVector;

/** The bytes of vectors, to be read by position without a check per value that Arrow makes. */
final class VectorBytes {

  /** No bytes. */
  static final ByteBuffer NONE = ByteBuffer.allocate(0).order(ByteOrder.LITTLE_ENDIAN);

  private VectorBytes() {}

  /**
   * The data of a vector of fixed width.
   *
   * @param width bytes of an element
   * @return a view, valid until the vector is filled again
   */
  static ByteBuffer of(FieldVector vector, int width) {
    return of(vector.getDataBuffer(), (long) vector.getValueCount() * width);
  }

  /** The first bytes of a buffer: a view, valid as long as the buffer is. */
  static ByteBuffer of(ArrowBuf buffer, long bytes) {
    return bytes == 0
        ? NONE
        : buffer.nioBuffer(0, Math.toIntExact(bytes)).order(ByteOrder.LITTLE_ENDIAN);
  }
}
