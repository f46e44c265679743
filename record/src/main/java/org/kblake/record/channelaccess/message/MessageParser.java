package org.kblake.record.channelaccess.message;

import java.nio.ByteBuffer;

/**
 * Divides received bytes into messages. It trusts no length: a message has at most the number of
 * bytes that the caller permits, and nothing is allocated.
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
   * @return the size in bytes of the message that remains, as far as it is known; 0 if none remains
   * @throws MalformedMessageException if the bytes at the position are no message
   */
  public int parse(ByteBuffer received, int largestPayload) throws MalformedMessageException {
    while (received.hasRemaining()) {
      if (!message.readHeader(received, received.position())) {
        return MessageLayout.EXTENDED_HEADER;
      }
      if ((message.payloadBytes() & 7) != 0 || message.payloadBytes() > largestPayload) {
        throw malformed("message has a wrong size", largestPayload);
      }
      int total = (int) message.totalBytes();
      if (total > received.remaining()) {
        return total;
      }
      handler.handle(message);
      received.position(received.position() + total);
    }
    return 0;
  }

  private MalformedMessageException malformed(String problem, int largestPayload) {
    return new MalformedMessageException(
        problem
            + ": command="
            + message.command()
            + ", bytes="
            + message.payloadBytes()
            + ", largest="
            + largestPayload);
  }

  /** Returns the error of a message whose command no server sends to this client. */
  public static MalformedMessageException unknownCommand(Message message) {
    return new MalformedMessageException(
        "message has an unknown command: command=" + message.command());
  }
}
