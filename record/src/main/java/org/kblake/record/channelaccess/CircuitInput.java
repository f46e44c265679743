package org.kblake.record.channelaccess;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.MessageParser;

/**
 * Received bytes of a circuit. The buffer grows when it was full, so its size follows what arrived,
 * and not what a header promises.
 */
final class CircuitInput {

  private static final int SMALLEST = 1 << 14;
  private static final int LARGEST_WITHOUT_NEED = 1 << 19;

  /** What any message of a server may have: arrays of servers before version 4.9. */
  private static final int PAYLOAD_OF_ALL = 1 << 14;

  private ByteBuffer buffer = ByteBuffer.allocateDirect(SMALLEST);
  private int largestPayload = PAYLOAD_OF_ALL;
  private boolean wasFull;

  /** Bytes still to come that belong to no message that is taken. */
  private long unwanted;

  /** Permits messages of a channel. */
  void permit(long payloadBytes) {
    largestPayload = (int) Math.max(largestPayload, (payloadBytes + 7) & -8);
  }

  /** Reads once. Returns the number of bytes, or -1 at the end. */
  int read(ReadableByteChannel from) throws IOException {
    int bytes = from.read(buffer);
    wasFull = !buffer.hasRemaining();
    return bytes;
  }

  /** Returns whether more bytes may wait. */
  boolean wasFull() {
    return wasFull;
  }

  /** Hands the messages that are whole to the parser's handler. */
  void parse(MessageParser parser) throws MalformedMessageException {
    buffer.flip();
    int left = (int) Math.min(unwanted, buffer.remaining());
    buffer.position(left);
    unwanted -= left;
    long needed = parser.parse(buffer, largestPayload);
    if (needed < 0) {
      unwanted = -needed;
    }
    buffer.compact();
    int capacity = buffer.capacity();
    if (wasFull && (capacity < LARGEST_WITHOUT_NEED || needed > capacity)) {
      buffer = ByteBuffer.allocateDirect(2 * capacity).put(buffer.flip());
    }
  }
}
