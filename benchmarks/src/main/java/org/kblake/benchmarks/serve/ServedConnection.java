package org.kblake.benchmarks.serve;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A connection to a server, and the body of its present answer. Large reads of a body are read from
 * the socket into the buffer of the caller: Java's own clients take more time than the server. For
 * one thread at a time.
 */
final class ServedConnection implements ReadableByteChannel {

  private static final int DONE = 200;
  private static final int BUFFER_BYTES = 1 << 14;

  /** Smaller reads are read by way of the buffer. */
  private static final int DIRECT_BYTES = 1 << 12;

  private static final int SKIPPED_BYTES = 1 << 18;
  private static final int HEXADECIMAL = 16;

  private final int port;
  private final SocketChannel socket;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
  private final ByteBuffer skipped = ByteBuffer.allocateDirect(SKIPPED_BYTES);

  /** The bytes left in the present chunk, or in a body whose length is known. */
  private long left;

  private boolean chunked;
  private boolean firstChunk;
  private boolean ended = true;

  ServedConnection(int port) throws IOException {
    this.port = port;
    socket = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /**
   * Sends a request, and reads the header of its answer.
   *
   * @throws IOException if the status is not 200
   */
  void request(String path) throws IOException {
    if (!ended) {
      throw new IllegalStateException("the answer before was not read to its end");
    }
    String head = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
    ByteBuffer bytes = ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII));
    while (bytes.hasRemaining()) {
      socket.write(bytes);
    }
    String status = line();
    left = -1;
    chunked = false;
    firstChunk = true;
    ended = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        left = Long.parseLong(header.substring(header.indexOf(':') + 1).strip());
      } else if (lower.equals("transfer-encoding: chunked")) {
        chunked = true;
        left = 0;
      }
    }
    if (left < 0) {
      throw new IOException("the end of the answer cannot be known: " + path);
    }
    if (Integer.parseInt(status.split(" ", 3)[1]) != DONE) {
      ByteBuffer text = ByteBuffer.allocate(BUFFER_BYTES);
      while (text.hasRemaining() && read(text) >= 0) {}
      throw new IOException(
          status + ": " + path + ": " + StandardCharsets.UTF_8.decode(text.flip()));
    }
  }

  /**
   * Reads the rest of the body.
   *
   * @param tail gets the last bytes of the body, as many as it has at most
   * @return the number of bytes
   */
  long skip(byte[] tail) throws IOException {
    long count = 0;
    while (true) {
      skipped.clear();
      int length = read(skipped);
      if (length < 0) {
        return count;
      }
      count += length;
      int kept = Math.min(length, tail.length);
      System.arraycopy(tail, kept, tail, 0, tail.length - kept);
      skipped.get(length - kept, tail, tail.length - kept, kept);
    }
  }

  @Override
  public int read(ByteBuffer to) throws IOException {
    if (left == 0 && !ended) {
      beginChunk();
    }
    if (ended) {
      return -1;
    }
    int most = (int) Math.min(left, to.remaining());
    if (!buffer.hasRemaining() && most < DIRECT_BYTES) {
      fill();
    }
    int count;
    if (buffer.hasRemaining()) {
      count = Math.min(most, buffer.remaining());
      to.put(buffer.slice().limit(count));
      buffer.position(buffer.position() + count);
    } else {
      int limit = to.limit();
      count = socket.read(to.limit(to.position() + most));
      to.limit(limit);
      if (count < 0) {
        throw new EOFException("the answer has no end");
      }
    }
    left -= count;
    return count;
  }

  /** Begins the next chunk, or ends the body. */
  private void beginChunk() throws IOException {
    if (!chunked) {
      ended = true;
      return;
    }
    if (!firstChunk) {
      line();
    }
    firstChunk = false;
    left = Long.parseLong(line(), HEXADECIMAL);
    if (left == 0) {
      line();
      ended = true;
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    while (true) {
      if (!buffer.hasRemaining()) {
        fill();
      }
      byte each = buffer.get();
      if (each == '\n') {
        return line.toString().stripTrailing();
      }
      line.append((char) each);
    }
  }

  private void fill() throws IOException {
    buffer.clear();
    int count = socket.read(buffer);
    buffer.flip();
    if (count < 0) {
      throw new EOFException("the answer has no end");
    }
  }

  @Override
  public boolean isOpen() {
    return socket.isOpen();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
