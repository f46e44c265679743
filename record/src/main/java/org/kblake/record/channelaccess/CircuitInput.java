package org.kblake.record.channelaccess;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import org.kblake.record.channelaccess.message.MalformedMessageException;
import org.kblake.record.channelaccess.message.MessageParser;

/**
 * Received bytes of a circuit. All circuits read into one buffer. A circuit has bytes of its own
 * only while a message is not whole, and as many as arrived of it, not what its header promises.
 */
final class CircuitInput {

  /** The size in bytes of the buffer into which all circuits read. */
  static final int SHARED_BYTES = 1 << 19;

  /** A message that is not larger is moved into the shared buffer for the next bytes. */
  private static final int LARGEST_MOVED = 1 << 16;

  /** What any message of a server may have: arrays of servers before version 4.9. */
  private static final int PAYLOAD_OF_ALL = 1 << 14;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** The begin of a message, up to the position. */
  private ByteBuffer begin = NOTHING;

  /**
   * The size of that message in bytes, as far as it is known; below 0 the number of bytes still to
   * come that are to be left out.
   */
  private long needed;

  private int largestPayload = PAYLOAD_OF_ALL;
  private boolean wasFull;

  /** Permits messages of a channel. */
  void permit(long payloadBytes) {
    largestPayload = (int) Math.max(largestPayload, (payloadBytes + 7) & -8);
  }

  /**
   * Reads once.
   *
   * @param shared where {@link #parse} expects the bytes
   * @return the number of bytes, or -1 at the end
   */
  int read(ReadableByteChannel from, ByteBuffer shared) throws IOException {
    shared.clear();
    if (needed <= LARGEST_MOVED) {
      shared.put(begin.flip());
      begin = NOTHING;
    }
    int bytes = from.read(shared);
    wasFull = !shared.hasRemaining();
    return bytes;
  }

  /** Returns whether more bytes may wait. */
  boolean wasFull() {
    return wasFull;
  }

  /** Returns the number of bytes that the circuit has for itself. */
  int ownBytes() {
    return begin.capacity();
  }

  /** Hands the messages that are whole to the parser's handler. */
  void parse(MessageParser parser, ByteBuffer shared) throws MalformedMessageException {
    shared.flip();
    if (begin.position() > 0) {
      keep(shared, needed - begin.position());
      if (begin.position() < needed) {
        return;
      }
      parser.parse(begin.flip(), largestPayload);
      begin = NOTHING;
    }
    if (needed < 0) {
      int left = (int) Math.min(-needed, shared.remaining());
      shared.position(left);
      needed += left;
    }
    if (needed >= 0) {
      needed = parser.parse(shared, largestPayload);
      keep(shared, shared.remaining());
    }
  }

  /** Appends bytes to the message that is not whole. */
  private void keep(ByteBuffer shared, long most) {
    int bytes = (int) Math.min(most, shared.remaining());
    if (bytes > begin.remaining()) {
      int size = begin.position() + bytes;
      long capacity = needed <= LARGEST_MOVED ? size : Math.max(size, Math.min(needed, 2L * size));
      begin = ByteBuffer.allocate((int) capacity).put(begin.flip());
    }
    begin.put(begin.position(), shared, shared.position(), bytes);
    begin.position(begin.position() + bytes);
    shared.position(shared.position() + bytes);
  }
}
