package org.kblake.cli.handover;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * Values on a connection, one JSON object a line in UTF-8. The channel is in non-blocking mode, and
 * is not closed here.
 *
 * @param <T> the type of the peer's values
 */
public final class JsonLines<T> {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CHUNK_BYTES = 1 << 14;

  private final SocketChannel channel;
  private final Class<T> type;
  private final String name;
  private final int maxBytes;
  private final ByteBuffer read = ByteBuffer.allocate(CHUNK_BYTES).flip();
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private ByteBuffer unwritten = ByteBuffer.allocate(0);

  /**
   * @param name what the peer sends, for messages: request or answer
   * @param maxBytes the limit of a line of the peer
   */
  public JsonLines(SocketChannel channel, Class<T> type, String name, int maxBytes) {
    this.channel = channel;
    this.type = type;
    this.name = name;
    this.maxBytes = maxBytes;
  }

  /**
   * Returns the next value of the peer; null if its line is not complete yet.
   *
   * @throws EOFException if the peer has closed the connection
   * @throws ProtocolException if the line is too long, or no such value
   */
  public @Nullable T next() throws IOException {
    do {
      while (read.hasRemaining()) {
        byte next = read.get();
        if (next == '\n') {
          return value();
        }
        if (line.size() == maxBytes) {
          throw invalid("is too large: most bytes=" + maxBytes);
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

  private T value() throws IOException {
    try {
      T value = JSON.readValue(line.toByteArray(), type);
      if (value == null) {
        throw invalid("is empty");
      }
      return value;
    } catch (JacksonException e) {
      throw invalid("is not valid: found=" + e.getOriginalMessage());
    } finally {
      line.reset();
    }
  }

  /** Makes an exception on what the peer sends. */
  public ProtocolException invalid(String problem) {
    return new ProtocolException(name + " " + problem);
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
