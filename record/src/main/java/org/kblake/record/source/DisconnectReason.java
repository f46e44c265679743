package org.kblake.record.source;

/** Why a channel is disconnected. */
public enum DisconnectReason {
  /** The connection to the server ended or failed. */
  CIRCUIT_CLOSED("the connection to the server ended"),
  /** The server did not answer in time. */
  NO_ANSWER("the server does not answer"),
  /** The server sent bytes that are no messages of the protocol. */
  MALFORMED_MESSAGES("the server sent bytes that are no messages"),
  /** The server removed the channel. */
  REMOVED_BY_SERVER("the server removed the channel"),
  /** The server refuses reads of the channel. */
  NO_READ_ACCESS("the server permits no reads"),
  /** The type is none of the types of a log, or the count is 0. */
  UNSUPPORTED_TYPE("the type is not supported"),
  /** A value may have more bytes than the limit of arrays. */
  TOO_LARGE("an array is above the limit"),
  /** The server refused the subscription. */
  REFUSED_BY_SERVER("the server refused the subscription"),
  /** The server has the name, and does not create the channel. */
  CREATION_REFUSED("the server refuses to create the channel"),
  /** The server sent an error instead of a value. */
  READ_FAILED("the server cannot read the value"),
  /** The server sent a value of another type, or with more elements, than it announced. */
  CONTRADICTION("a value contradicts the announced type or count");

  private static final DisconnectReason[] BY_CODE = values();

  private final String text;

  DisconnectReason(String text) {
    this.text = text;
  }

  static DisconnectReason of(int code) {
    return BY_CODE[code];
  }

  /** Returns the reason in words. */
  public String text() {
    return text;
  }
}
