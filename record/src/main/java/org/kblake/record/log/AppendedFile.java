package org.kblake.record.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A file that only grows, and the bytes in memory that follow it. A failed write loses nothing: it
 * goes on where the failed one ended.
 */
final class AppendedFile implements Closeable {

  private static final int BUFFER_BYTES = 1 << 18;

  private final WrittenFile file;
  private final ByteOrder order;
  private ByteBuffer buffer;

  /** The bytes of the buffer from its begin that are in the file. */
  private int done;

  private int used;

  /** The offset in the file of the buffer's begin. */
  private long bufferOffset;

  AppendedFile(WrittenFile file, ByteOrder order) {
    this.file = file;
    this.order = order;
    buffer = ByteBuffer.allocate(BUFFER_BYTES).order(order);
  }

  /** Returns the bytes of the file and of memory. */
  long bytes() {
    return bufferOffset + used;
  }

  /** Returns the bytes of the file. */
  long writtenBytes() {
    return bufferOffset + done;
  }

  /** Returns the offset in the file of the first byte in {@link #buffer}. */
  long bufferOffset() {
    return bufferOffset;
  }

  ByteBuffer buffer() {
    return buffer;
  }

  /** Returns whether {@link #room} must write. */
  boolean mustWrite(int bytes) {
    return used > 0 && bytes > buffer.capacity() - used;
  }

  /**
   * Makes room in the buffer, and returns the position for the next bytes. Writes if the buffer is
   * full. If that fails, nothing has changed.
   */
  int room(int bytes) throws IOException {
    if (bytes > buffer.capacity() - used) {
      write();
      if (bytes > buffer.capacity()) {
        buffer = ByteBuffer.allocate(bytes).order(order);
      }
    }
    return used;
  }

  /** Appends the bytes that were put at the position of {@link #room}. */
  void append(int bytes) {
    used += bytes;
  }

  /**
   * Writes the buffer to the file, so many bytes at a time, because the JVM copies them once more.
   */
  void write() throws IOException {
    while (done < used) {
      int end = Math.min(used, done + BUFFER_BYTES);
      ByteBuffer bytes = buffer.duplicate().limit(end).position(done);
      try {
        file.write(bytes, bufferOffset + done);
      } finally {
        done = bytes.position();
      }
    }
    bufferOffset += used;
    done = 0;
    used = 0;
    if (buffer.capacity() > BUFFER_BYTES) {
      buffer = ByteBuffer.allocate(BUFFER_BYTES).order(order);
    }
  }

  void force() throws IOException {
    file.force();
  }

  /** Closes the file. What is in memory is lost. */
  @Override
  public void close() throws IOException {
    file.close();
  }
}
