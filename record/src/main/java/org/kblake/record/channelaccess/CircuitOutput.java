package org.kblake.record.channelaccess;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;

/** Bytes that wait to be sent on a circuit. */
final class CircuitOutput {

  private static final int SMALLEST = 1 << 12;
  private static final int LARGEST_UNUSED = 1 << 16;

  private ByteBuffer buffer = ByteBuffer.allocateDirect(SMALLEST);

  /** Returns a buffer to append to, with room for a number of bytes. */
  ByteBuffer with(int bytes) {
    if (buffer.remaining() < bytes) {
      int capacity = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
      buffer = ByteBuffer.allocateDirect(capacity).put(buffer.flip());
    }
    return buffer;
  }

  /** Returns the number of bytes that wait. */
  int waiting() {
    return buffer.position();
  }

  /** Sends what the socket takes. Returns whether all was sent. */
  boolean flush(WritableByteChannel to) throws IOException {
    buffer.flip();
    try {
      while (buffer.hasRemaining() && to.write(buffer) > 0) {
        // Once more.
      }
    } finally {
      buffer.compact();
    }
    if (buffer.position() > 0) {
      return false;
    }
    if (buffer.capacity() > LARGEST_UNUSED) {
      buffer = ByteBuffer.allocateDirect(SMALLEST);
    }
    return true;
  }
}
