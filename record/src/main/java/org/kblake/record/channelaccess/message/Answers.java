package org.kblake.record.channelaccess.message;

import java.nio.ByteBuffer;

/** Answers of a server, for a demonstration without an IOC. */
public final class Answers {

  private Answers() {}

  /**
   * Returns a message in network byte order.
   *
   * @param command such as {@link MessageCommand#SEARCH}
   * @param count the number of elements, below 65,535
   * @param first the first number that depends on the command
   * @param second the second one
   * @param payload below 65,000 bytes; zeros pad it
   */
  public static ByteBuffer message(
      int command, int type, int count, int first, int second, byte... payload) {
    int size = MessageLayout.padded(payload.length);
    ByteBuffer message = ByteBuffer.allocate(MessageLayout.HEADER + size);
    message.putShort((short) command).putShort((short) size);
    message.putShort((short) type).putShort((short) count);
    message.putInt(first).putInt(second).put(payload);
    return message.clear();
  }
}
