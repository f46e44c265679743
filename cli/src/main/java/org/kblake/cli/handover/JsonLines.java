package org.kblake.cli.handover;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Values on a connection, one JSON object a line in UTF-8. The channel is in non-blocking mode, and
 * is not closed here.
 */
public final class JsonLines {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CHUNK_BYTES = 1 << 14;

  private final SocketChannel channel;
  private final int maxBytes;
  private final ByteBuffer read = ByteBuffer.allocate(CHUNK_BYTES).flip();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private ByteBuffer unwritten = ByteBuffer.allocate(0);

  /**
   * @param maxBytes the limit of a line of the peer
   */
  public JsonLines(SocketChannel channel, int maxBytes) {
    this.channel = channel;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the next value of the peer; null if its line is not complete yet.
   *
   * @throws EOFException if the peer has closed the connection
   * @throws BadRequestException if the line is too long, or no such value
   */
  public <T> @Nullable T next(Class<T> type) throws IOException {
    do {
      while (read.hasRemaining()) {
        byte next = read.get();
        if (next == '\n') {
          return value(type);
        }
        if (line.size() == maxBytes) {
          throw new BadRequestException("is too large: most bytes=" + maxBytes);
        }
        line.write(next);
      }
      int bytes = channel.read(read.clear());
      read.flip();
      if (bytes < 0) {
        throw new EOFException();
      }
    } while (read.hasRemaining());
    return null;
  }

  private <T> T value(Class<T> type) throws IOException {
    try {
      T value = JSON.readValue(line.toByteArray(), type);
      if (value == null) {
        throw new BadRequestException("is empty");
      }
      return value;
    } catch (JacksonException e) {
      throw new BadRequestException("is not valid: found=" + e.getOriginalMessage());
    } finally {
      line.reset();
    }
  }

  /** Begins to write a value. {@link #flush} has written the one before. */
  public void put(Object value) throws IOException {
    byte[] bytes = JSON.writeValueAsBytes(value);
    unwritten = ByteBuffer.allocate(bytes.length + 1).put(bytes).put((byte) '\n').flip();
  }

  /** Writes as much as the connection takes. Returns whether all is written. */
  public boolean flush() throws IOException {
    while (unwritten.hasRemaining() && channel.write(unwritten) > 0) {
      // A part is written
    }
    return !unwritten.hasRemaining();
  }
}
