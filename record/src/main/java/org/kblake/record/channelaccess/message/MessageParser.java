package org.kblake.record.channelaccess.message;

import java.nio.ByteBuffer;

/**
 * Divides received bytes into messages. It trusts no length: nothing is allocated, and the handler
 * decides about messages that are larger than the caller permits.
 */
public final class MessageParser {

  /** Takes the messages. */
  @FunctionalInterface
  public interface Handler {

    /**
     * Takes a whole message.
     *
     * @param message valid until this method returns
     * @throws MalformedMessageException if no server sends such a message
     */
    void handle(Message message) throws MalformedMessageException;

    /**
     * Returns whether a message above the limit is taken nevertheless. Otherwise its bytes are left
     * out.
     *
     * @param header a message whose payload may not have arrived
     * @throws MalformedMessageException if no server sends such a message
     */
    default boolean permits(Message header) throws MalformedMessageException {
      throw wrongSize(header);
    }
  }

  private final Message message = new Message();
  private final Handler handler;

  public MessageParser(Handler handler) {
    this.handler = handler;
  }

  /**
   * Hands all whole messages to the handler, and moves the position of the buffer behind them. What
   * remains is the begin of a message.
   *
   * @param received bytes in network order, from the position to the limit
   * @param largestPayload the largest payload of a message in bytes
   * @return the size in bytes of the message that remains, as far as it is known; 0 if none
   *     remains; below 0 the number of bytes still to come that are to be left out
   * @throws MalformedMessageException if the bytes at the position are no message
   */
  public long parse(ByteBuffer received, int largestPayload) throws MalformedMessageException {
    while (received.hasRemaining()) {
      if (!message.readHeader(received, received.position())) {
        return MessageLayout.EXTENDED_HEADER;
      }
      if ((message.payloadBytes() & 7) != 0) {
        throw wrongSize(message);
      }
      boolean isTaken = message.payloadBytes() <= largestPayload || handler.permits(message);
      long missing = message.totalBytes() - received.remaining();
      if (missing > 0 && isTaken) {
        return message.totalBytes();
      } else if (missing > 0) {
        received.position(received.limit());
        return -missing;
      } else if (isTaken) {
        handler.handle(message);
      }
      received.position(received.position() + (int) message.totalBytes());
    }
    return 0;
  }

  /** Returns the error of a message whose size fits nothing that a server sends. */
  public static MalformedMessageException wrongSize(Message message) {
    return new MalformedMessageException(
        "message has a wrong size: command="
            + message.command()
            + ", bytes="
            + message.payloadBytes());
  }

  /** Returns the error of a message whose command no server sends to this client. */
  public static MalformedMessageException unknownCommand(Message message) {
    return new MalformedMessageException(
        "message has an unknown command: command=" + message.command());
  }
}
