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

  /** The most bytes that are gathered, and written at a time: the JVM copies them once more. */
  private static final int MOST_BYTES = 1 << 18;

  /** The most bytes of an empty buffer. */
  private static final int RESTING_BYTES = 1 << 16;

  private final WrittenFile file;
  private final ByteOrder order;
  private final int firstBytes;
  private ByteBuffer buffer;

  /** The bytes of the buffer from its begin that are in the file. */
  private int done;

  private int used;

  /** The offset in the file of the buffer's begin. */
  private long bufferOffset;

  /**
   * @param firstBytes the size of the first buffer, a small power of two
   */
  AppendedFile(WrittenFile file, ByteOrder order, int firstBytes) {
    this.file = file;
    this.order = order;
    this.firstBytes = firstBytes;
    buffer = allocate(firstBytes);
  }

  private ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(order);
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
    return used > 0 && bytes > Math.max(MOST_BYTES, buffer.capacity()) - used;
  }

  /**
   * Makes room in the buffer, and returns the position for the next bytes. Writes if the buffer is
   * full. If that fails, nothing has changed.
   */
  int room(int bytes) throws IOException {
    if (mustWrite(bytes)) {
      write();
    }
    return roomInMemory(bytes);
  }

  /** Makes room in the buffer without a write, and returns the position for the next bytes. */
  int roomInMemory(int bytes) {
    if (bytes > buffer.capacity() - used) {
      long twice = Math.min(MOST_BYTES, 2L * buffer.capacity());
      ByteBuffer larger = allocate(Math.max(used + bytes, (int) twice));
      buffer = larger.put(0, buffer, 0, used);
    }
    return used;
  }

  /** Appends the bytes that were put at the position of {@link #room}. */
  void append(int bytes) {
    used += bytes;
  }

  /** Writes the buffer to the file. One that was large, or hardly used, is made smaller. */
  void write() throws IOException {
    while (done < used) {
      int end = Math.min(used, done + MOST_BYTES);
      ByteBuffer bytes = buffer.duplicate().limit(end).position(done);
      try {
        file.write(bytes, bufferOffset + done);
      } finally {
        done = bytes.position();
      }
    }
    bufferOffset += used;
    if (buffer.capacity() > RESTING_BYTES) {
      buffer = allocate(RESTING_BYTES);
    } else if (used > 0 && buffer.capacity() > firstBytes && used < buffer.capacity() / 4) {
      buffer = allocate(Math.max(firstBytes, buffer.capacity() / 2));
    }
    done = 0;
    used = 0;
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
