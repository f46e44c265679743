package org.kblake.record.channelaccess.message;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A message in a buffer. The object is used again for the next message, and the buffer for the next
 * bytes.
 */
public final class Message {

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private ByteBuffer bytes = NOTHING;
  private int offset;
  private int headerBytes;
  private long payloadBytes;
  private long count;

  /**
   * Reads a header.
   *
   * @param source the bytes, from its position to its limit, which stay as they are
   * @return whether the buffer has the whole header
   */
  boolean readHeader(ByteBuffer source, int at) {
    int available = source.limit() - at;
    if (available < MessageLayout.HEADER) {
      return false;
    }
    bytes = source;
    offset = at;
    headerBytes = MessageLayout.HEADER;
    payloadBytes = source.getShort(at + MessageLayout.SIZE) & 0xFFFF;
    count = source.getShort(at + MessageLayout.COUNT) & 0xFFFF;
    if (payloadBytes == MessageLayout.EXTENDED) {
      if (available < MessageLayout.EXTENDED_HEADER) {
        return false;
      }
      headerBytes = MessageLayout.EXTENDED_HEADER;
      payloadBytes = source.getInt(at + MessageLayout.EXTENDED_SIZE) & 0xFFFF_FFFFL;
      count = source.getInt(at + MessageLayout.EXTENDED_COUNT) & 0xFFFF_FFFFL;
    }
    return true;
  }

  /** Returns the size of header and payload in bytes. */
  long totalBytes() {
    return headerBytes + payloadBytes;
  }

  /** Returns the command, such as {@link Command#EVENT_ADD}. */
  public int command() {
    return bytes.getShort(offset + MessageLayout.COMMAND) & 0xFFFF;
  }

  /** Returns the field for the type of the elements. */
  public int type() {
    return bytes.getShort(offset + MessageLayout.TYPE) & 0xFFFF;
  }

  /** Returns the field for the number of elements, below 2^32. */
  public long count() {
    return count;
  }

  /** Returns the first number that depends on the command: a channel or a status. */
  public int first() {
    return bytes.getInt(offset + MessageLayout.FIRST);
  }

  /** Returns the second number that depends on the command: a subscription, a server's channel. */
  public int second() {
    return bytes.getInt(offset + MessageLayout.SECOND);
  }

  /** Returns the buffer that has the payload. */
  public ByteBuffer buffer() {
    return bytes;
  }

  /** Returns the position of the payload in the buffer. */
  public int payloadOffset() {
    return offset + headerBytes;
  }

  /** Returns the size of the payload in bytes, below 2^32. A received message has it all. */
  public long payloadBytes() {
    return payloadBytes;
  }

  /**
   * Reads the request that the payload of an {@link Command#ERROR} repeats.
   *
   * @return false if the payload is too short
   */
  public boolean readRequest(Message request) {
    ByteBuffer payload = bytes.duplicate().limit((int) (payloadOffset() + payloadBytes));
    return request.readHeader(payload, payloadOffset());
  }

  /** Returns the text behind the request that the payload of an {@link Command#ERROR} repeats. */
  public String errorText() {
    Message request = new Message();
    if (!readRequest(request)) {
      return "";
    }
    int from = request.offset + request.headerBytes;
    byte[] text = new byte[(int) (payloadOffset() + payloadBytes) - from];
    bytes.get(from, text);
    int end = 0;
    while (end < text.length && text[end] != 0) {
      end++;
    }
    return new String(text, 0, end, StandardCharsets.UTF_8);
  }
}
