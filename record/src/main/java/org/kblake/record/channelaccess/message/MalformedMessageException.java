package org.kblake.record.channelaccess.message;

/** Bytes that are no message. Where the next message begins is unknown. */
public final class MalformedMessageException extends Exception {

  private static final long serialVersionUID = 1;

  MalformedMessageException(String message) {
    super(message);
  }
}
